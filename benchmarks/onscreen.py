"""From a page's first byte to a chart on the screen, against an empty page with the same Chart.js.

Both in Chromium and from the same web process, in turns, with nothing kept from the visit before.
The compare page has 12 configurations x 10 repeats x 6 measures on PostgreSQL; what its server takes
until the first byte is another row, of `compare`.
"""

from __future__ import annotations

import statistics
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import BrowserContext, sync_playwright

from benchmarks.instance import environment_of, manage, web
from benchmarks.report import Row
from tools import servers

WARM_UPS = 5
TURNS = 31
INPUTS = Path(__file__).parent / "inputs"
ESBUILD = Path("node_modules/.bin/esbuild")
FILL = "from benchmarks.within.compare import fill; s, b = fill(); print(s.slug, b)"
# the first stroke or letter on a canvas of the page, and the frame that shows it
WATCH = """
window.onScreen = new Promise((seen) => {
  const [visit] = performance.getEntriesByType("navigation");
  const now = () => seen(performance.now() - visit.responseStart);
  let waiting = true;
  for (const name of ["fill", "stroke", "fillText"]) {
    const drawn = CanvasRenderingContext2D.prototype[name];
    CanvasRenderingContext2D.prototype[name] = function (...words) {
      drawn.apply(this, words);
      if (!waiting || !this.canvas.isConnected) return;
      waiting = false;
      requestAnimationFrame(() => setTimeout(now));
    };
  }
});
"""


def run() -> list[Row]:
    """One row: the medians of both and their ratio."""
    with (
        servers.folder() as place,
        _instance(place) as (page, empty),
        _window() as window,
    ):
        turns = [(_visited(window, page), _visited(window, empty)) for _ in range(WARM_UPS + TURNS)]
    pairs = turns[WARM_UPS:]
    ours = statistics.median(mine for mine, _ in pairs)
    theirs = statistics.median(rival for _, rival in pairs)
    ratio = statistics.median(mine / rival for mine, rival in pairs)
    note = f"{ours:.0f} ms from the first byte to the chart, an empty page {theirs:.0f} ms"
    return [Row("compare: chart on screen", ratio, at_most=1.5, note=note)]


@contextmanager
def _window() -> Iterator[BrowserContext]:
    """One window for all visits: a new one loads panels of the browser's own beside the page."""
    with sync_playwright() as playwright:
        path = servers.program("Chromium")
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        window = browser.new_context(viewport={"width": 1440, "height": 900})
        window.add_init_script(WATCH)
        window.new_page()
        yield window
        browser.close()


def _visited(window: BrowserContext, address: str) -> float:
    """Milliseconds until a chart is seen, in a tab (a process) of its own and by an empty cache."""
    page = window.new_page()
    window.new_cdp_session(page).send("Network.clearBrowserCache")
    answer = page.goto(address)
    assert answer, address
    assert answer.ok, answer.status
    milliseconds: float = page.evaluate("window.onScreen")
    page.close()
    return milliseconds


@contextmanager
def _instance(place: Path) -> Iterator[tuple[str, str]]:
    """The addresses of the compare page and of the empty one, from the same web process."""
    with servers.postgres() as database:
        environment = environment_of(database, place) | {
            "DJANGO_SETTINGS_MODULE": "benchdash.settings",
            "ALLOWED_HOSTS": "127.0.0.1",
        }
        manage(environment, "migrate")
        manage(environment, "collectstatic", "--noinput")
        _empty_page(place / "var" / "static" / "empty")
        filled = subprocess.run(
            [sys.executable, "-c", FILL],
            env=environment,
            check=True,
            capture_output=True,
            text=True,
        )
        study, baseline = filled.stdout.split()[-2:]
        with web(environment, place) as (port, _pid):
            instance = f"http://127.0.0.1:{port}"
            query = f"study={study}&baseline={baseline}"
            yield f"{instance}/compare/?{query}", f"{instance}/static/empty/chart.html"


def _empty_page(folder: Path) -> None:
    folder.mkdir()
    script = [ESBUILD, INPUTS / "chart.ts", "--bundle", "--minify", "--format=esm"]
    subprocess.run([*script, f"--outfile={folder / 'chart.js'}", "--log-level=error"], check=True)
    (folder / "chart.html").write_bytes((INPUTS / "chart.html").read_bytes())

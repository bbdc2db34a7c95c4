const STOPS = "a[href], button, input, select, textarea, summary";

/** A long list is one row by Tab, and its other rows by the arrow keys. */
export function attach(box: HTMLElement): void {
  const body = box.querySelector("tbody");
  if (!body || body.rows.length < 2) return;
  let here = body.rows[0]!;
  const choose = (row: HTMLTableRowElement): void => {
    here = row;
    for (const other of body.rows) {
      for (const stop of stopsOf(other)) stop.tabIndex = other === here ? 0 : -1;
    }
  };
  choose(here);
  box.addEventListener("focusin", (event) => {
    const row = (event.target as HTMLElement).closest<HTMLTableRowElement>("tbody tr");
    if (row && row !== here) choose(row);
  });
  box.addEventListener("keydown", (event) => {
    const row = rowAt(event, body);
    if (!row) return;
    const stops = stopsOf(here);
    const place = Math.max(stops.indexOf(event.target as HTMLElement), 0);
    event.preventDefault();
    choose(row);
    const there = stopsOf(row);
    there[Math.min(place, there.length - 1)]?.focus();
  });
}

function stopsOf(row: HTMLElement): HTMLElement[] {
  return Array.from(row.querySelectorAll<HTMLElement>(STOPS));
}

/** The row that an arrow key leads to; none where the key is for what has the focus. */
function rowAt(event: KeyboardEvent, body: HTMLTableSectionElement): HTMLTableRowElement | undefined {
  const target = event.target as HTMLElement;
  if (target.matches("select, textarea, input:not([type=checkbox])")) return undefined;
  const here = target.closest<HTMLTableRowElement>("tbody tr");
  const place = here ? Array.from(body.rows).indexOf(here) : -1;
  const last = body.rows.length - 1;
  const leads: Record<string, number> = { ArrowDown: place + 1, ArrowUp: place - 1, Home: 0, End: last };
  const there = leads[event.key];
  return place < 0 || there === undefined ? undefined : body.rows[there];
}

import { htmx } from "./htmx";
import type { LiveCharts, LivePoints } from "./charts/live";
import { LogPane } from "./log-pane";
import { durationText } from "./duration-text";

const HELLO_MS = 4000;
const LOST_MS = 5000;

interface Log {
  step: number;
  stream: string;
  data: string;
}

/**
 * Follows a job: its log, its numbers, and what its page says of it. The server's events arrive on
 * one answer that stays open; where something on the way holds it back, in short ones.
 */
export function attach(element: HTMLElement): void {
  void new Follower(element).begin();
}

class Follower {
  private readonly pane: LogPane;
  private place: string;
  private version: string;
  private charts: LiveCharts | undefined;
  private events: EventSource | undefined;
  private silentSince = 0;
  private lost = false;

  constructor(private readonly element: HTMLElement) {
    this.pane = new LogPane(element.querySelector<HTMLElement>("[data-log]")!);
    this.place = element.dataset["place"] ?? "";
    this.version = element.dataset["version"] ?? "";
  }

  async begin(): Promise<void> {
    const figures = this.element.querySelector<HTMLElement>("[data-live]");
    if (figures) this.charts = new (await import("./charts/all")).LiveCharts(figures);
    this.listen("");
    setInterval(() => this.tick(), 1000);
  }

  /** `once` asks for short answers: the browser asks again by itself. */
  private listen(once: string): void {
    const events = new EventSource(`${this.element.dataset["events"]}?after=${this.place}${once}`);
    this.events = events;
    const patience = setTimeout(() => {
      if (!once) this.again(events, "&once=1");
    }, HELLO_MS);
    events.addEventListener("error", () => {
      this.silentSince ||= performance.now();
      // refused by something on the way: then the browser does not ask again
      if (events.readyState === EventSource.CLOSED) {
        setTimeout(() => this.again(events, once), HELLO_MS);
      }
    });
    this.on(events, "state", (event: { version: string }) => {
      clearTimeout(patience);
      this.silentSince = 0;
      this.report(false);
      this.look(event.version);
    });
    this.on(events, "log", (event: Log) => this.pane.add(event.step, event.stream, event.data));
    this.on(events, "points", (points: LivePoints) => this.charts?.take(points));
    this.on(events, "end", () => this.stop());
  }

  private again(events: EventSource, once: string): void {
    if (this.events !== events) return;
    events.close();
    this.listen(once);
  }

  private report(lost: boolean): void {
    if (lost === this.lost) return;
    this.lost = lost;
    document.dispatchEvent(new CustomEvent(lost ? "connectionlost" : "connectionback"));
  }

  private on<Payload>(events: EventSource, name: string, act: (payload: Payload) => void): void {
    events.addEventListener(name, (event) => {
      if (event.lastEventId) this.place = event.lastEventId;
      act(JSON.parse(event.data as string) as Payload);
    });
  }

  /** Fetches what the page says of the job, when that has changed. */
  private look(version: string): void {
    if (version === this.version) return;
    this.version = version;
    const target = this.element.querySelector<HTMLElement>("[data-job-state]")!;
    const address = this.element.dataset["progress"]!;
    void htmx.then((loaded) => loaded.ajax("get", address, { target, swap: "innerHTML" }));
  }

  private tick(): void {
    if (this.silentSince && performance.now() - this.silentSince > LOST_MS) this.report(true);
    const clock = this.element.querySelector<HTMLElement>("[data-elapsed]");
    if (!clock || !this.events) return;
    // by the clock and not by ticks: a page in the background has few of them
    clock.dataset["since"] ??= String(Date.now() - 1000 * Number(clock.dataset["elapsed"]));
    const seconds = Math.round((Date.now() - Number(clock.dataset["since"])) / 1000);
    clock.textContent = durationText(seconds);
    const bar = this.element.querySelector("progress");
    if (bar) bar.value = Math.min(bar.max, seconds);
  }

  private stop(): void {
    this.events?.close();
    this.events = undefined;
    this.silentSince = 0;
  }
}

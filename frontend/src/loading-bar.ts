const PATIENCE_MS = 300;

/** Shows the bar after 300 ms of waiting for a page, or for a part of this one. */
export function attach(bar: HTMLElement): void {
  let awaited = 0;
  let timer = 0;
  const begin = (): void => {
    awaited += 1;
    timer ||= window.setTimeout(() => (bar.hidden = false), PATIENCE_MS);
  };
  const end = (all = false): void => {
    awaited = all ? 0 : Math.max(0, awaited - 1);
    if (awaited > 0) return;
    window.clearTimeout(timer);
    timer = 0;
    bar.hidden = true;
  };
  document.addEventListener("htmx:beforeRequest", begin);
  document.addEventListener("htmx:afterRequest", () => end());
  document.addEventListener("connectionlost", () => end(true));
  document.addEventListener("submit", (event) => {
    if (!event.defaultPrevented) begin();
  });
  document.addEventListener("click", (event) => {
    const link = (event.target as Element).closest("a");
    if (link && !event.defaultPrevented && !event.ctrlKey && !event.metaKey && leaves(link)) begin();
  });
  // back by the browser's own way, to a page that it kept
  window.addEventListener("pageshow", (event) => event.persisted && end(true));
}

/** True for a link to another page of ours; a file is saved while this page stays. */
export function leaves(link: HTMLAnchorElement): boolean {
  const saved = link.hasAttribute("download") || /^\/api\/|\/raw\/$/.test(link.pathname);
  const here = link.pathname === location.pathname && link.search === location.search;
  return link.origin === location.origin && !link.target && !saved && !(here && link.hash);
}

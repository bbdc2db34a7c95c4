/** A matrix is one stop by Tab, its cells are reached by the arrow keys, and what is in one is read out in full. */
export function attach(section: HTMLElement): void {
  const readout = section.querySelector<HTMLElement>(".heat-readout");
  const cells = section.querySelectorAll<HTMLAnchorElement>(".heat a");
  cells.forEach((cell, place) => (cell.tabIndex = place ? -1 : 0));
  let here: HTMLAnchorElement | undefined = cells[0];
  const readOut = (event: Event): void => {
    const cell = (event.target as HTMLElement).closest<HTMLAnchorElement>(".heat a");
    if (cell && readout) readout.textContent = wordsOf(cell, readout.dataset["unit"] ?? "");
  };
  // a cell that changes is another element of the same name
  const renewed = new MutationObserver(() => {
    if (!here || here.isConnected) return;
    here = section.querySelector<HTMLAnchorElement>(`#${here.id}`) ?? undefined;
    if (here) here.tabIndex = 0;
  });
  section.querySelectorAll(".heat").forEach((table) => renewed.observe(table, { childList: true, subtree: true }));
  section.addEventListener("mouseover", readOut);
  section.addEventListener("focusin", (event) => {
    readOut(event);
    const cell = (event.target as HTMLElement).closest<HTMLAnchorElement>(".heat a");
    if (!cell || cell === here) return;
    if (here) here.tabIndex = -1;
    here = cell;
    cell.tabIndex = 0;
  });
  section.addEventListener("keydown", (event) => {
    const there = neighbour(event);
    if (!there) return;
    event.preventDefault();
    there.focus();
  });
}

/** `Block size \ Queue depth: 4K, 8: 44.9 MB/s, best`. */
export function wordsOf(cell: HTMLAnchorElement, unit: string): string {
  const row = cell.closest<HTMLElement>("[role=row]")!;
  const heads = row.parentElement!.firstElementChild!.children;
  const place = Array.from(row.children).indexOf(cell.parentElement!);
  const title = row.closest("figure")?.querySelector("figcaption")?.textContent ?? "";
  const levels = [title, row.children[0]!.textContent, heads[place]!.textContent];
  const words = cell.getAttribute("aria-label") ?? (cell.textContent && `${cell.textContent} ${unit}`);
  return `${levels.filter(Boolean).join(", ")}: ${words}`;
}

/** The cell that an arrow key leads to, if the key is pressed in a cell. */
function neighbour(event: KeyboardEvent): HTMLAnchorElement | null | undefined {
  const cell = (event.target as HTMLElement).closest<HTMLElement>(".heat [role=cell]");
  const row = cell?.parentElement;
  if (!cell || !row) return null;
  const place = Array.from(row.children).indexOf(cell);
  const ways: Record<string, Element | null | undefined> = {
    ArrowLeft: cell.previousElementSibling,
    ArrowRight: cell.nextElementSibling,
    ArrowUp: row.previousElementSibling?.children[place],
    ArrowDown: row.nextElementSibling?.children[place],
    Home: row.children[1],
    End: row.lastElementChild,
  };
  return ways[event.key]?.querySelector<HTMLAnchorElement>("a");
}

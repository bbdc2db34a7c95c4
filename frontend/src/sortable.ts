/** A table whose headings sort its rows: numbers from the largest first, texts from A, blanks at the end.
 *
 * By Tab they are one stop, by the arrow keys each. With `data-address` the order stands under that
 * name in the address, so that a copied one shows it. */
export function attach(table: HTMLElement): void {
  const element = table as HTMLTableElement;
  const heads = Array.from(element.querySelectorAll<HTMLTableCellElement>("thead th"));
  heads.forEach((head, place) => {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "sort";
    button.tabIndex = place === 0 ? 0 : -1;
    button.append(...head.childNodes);
    head.append(button);
    button.addEventListener("click", () => {
      sort(element, heads, head);
      keep(element.dataset["address"], head);
    });
  });
  element.tHead?.addEventListener("keydown", (event) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    const buttons = heads.map((head) => head.querySelector<HTMLElement>("button.sort")!);
    const there = step && buttons[buttons.indexOf(event.target as HTMLElement) + step];
    if (!there) return;
    event.preventDefault();
    for (const button of buttons) button.tabIndex = button === there ? 0 : -1;
    there.focus();
  });
}

function sort(table: HTMLElement, heads: HTMLTableCellElement[], head: HTMLTableCellElement): void {
  const body = table.querySelector("tbody");
  const rows = Array.from(body?.children ?? []);
  const place = heads.indexOf(head);
  const keys = new Map(rows.map((row) => [row, keyOf(row.children[place])]));
  const before = head.getAttribute("aria-sort");
  const isText = Array.from(keys.values()).some((key) => typeof key === "string");
  const down = before ? before === "ascending" : !isText;
  for (const other of heads) other.removeAttribute("aria-sort");
  head.setAttribute("aria-sort", down ? "descending" : "ascending");
  rows.sort((a, b) => compare(keys.get(a) ?? null, keys.get(b) ?? null, down));
  body?.append(...rows);
}

/** Writes the order into the address, and into what forms send of it (`data-query`: all of it). */
function keep(name: string | undefined, head: HTMLTableCellElement): void {
  const column = head.dataset["name"];
  if (!name || !column) return;
  const value = (head.getAttribute("aria-sort") === "descending" ? "-" : "") + column;
  history.replaceState(history.state, "", withPair(location.search, name, value) + location.hash);
  for (const field of document.querySelectorAll<HTMLInputElement>("input[data-query]"))
    field.value = withPair(field.value, name, value).slice(1);
  for (const form of document.querySelectorAll<HTMLFormElement>("form[data-part=compare-form]")) {
    const field = form.querySelector<HTMLInputElement>(`input[name=${name}]`) ?? document.createElement("input");
    form.append(Object.assign(field, { type: "hidden", name, value }));
  }
}

/** The query string with this pair; all others stay as they are written. */
export function withPair(query: string, name: string, value: string): string {
  const others = query.replace(/^\?/, "").split("&");
  const kept = others.filter((pair) => pair && !pair.startsWith(`${name}=`));
  return `?${[...kept, `${name}=${value}`].join("&")}`;
}

type Key = number | string | null;

/** The exact number where the cell brings it, else its text; null for a cell without either. */
function keyOf(cell: Element | undefined): Key {
  const value = cell?.getAttribute("data-value") ?? null;
  if (value !== null) return value === "" ? null : Number(value);
  return cell?.textContent?.trim() || null;
}

/** Blanks are last, whichever way the others go. */
export function compare(a: Key, b: Key, down: boolean): number {
  if (a === null || b === null) return Number(a === null) - Number(b === null);
  const order =
    typeof a === "number" && typeof b === "number"
      ? a - b
      : String(a).localeCompare(String(b), undefined, { numeric: true });
  return down ? -order : order;
}

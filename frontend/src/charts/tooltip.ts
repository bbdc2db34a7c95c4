import type { Figure } from "./figure";

/** Reads out the row of the table: one source of words and numbers. `rowOf` finds its index. */
export function tooltip(
  figure: Figure,
  element: HTMLElement,
  rowOf: (item: { datasetIndex: number; dataIndex: number }) => number,
): object {
  type Item = { datasetIndex: number; dataIndex: number };
  return {
    displayColors: false,
    callbacks: {
      title: (items: Item[]) => (items[0] ? (figure.rows[rowOf(items[0])]?.label ?? "") : ""),
      label: (item: Item) => cellsOf(element, rowOf(item)),
    },
  };
}

function cellsOf(element: HTMLElement, index: number): string[] {
  const table = element.querySelector("table");
  const heads = Array.from(table?.tHead?.rows[0]?.cells ?? [], textOf);
  // people may have sorted the table
  const row = table?.querySelector<HTMLTableRowElement>(`tbody tr[data-row="${index}"]`);
  const texts = Array.from(row?.cells ?? [], textOf);
  return texts.slice(1).map((text, place) => `${heads[place + 1] ?? ""}: ${text}`);
}

function textOf(cell: HTMLTableCellElement): string {
  return cell.innerText.replace(/\s+/g, " ").trim();
}

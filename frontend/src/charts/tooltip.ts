import type { Chart, TooltipModel } from "chart.js";
import { showPanel } from "./tooltip-panel";
import type { ChartFigure } from "./view";

interface Item {
  datasetIndex: number;
  dataIndex: number;
}

/** What it says of the points at a place. */
export interface Words {
  title(items: Item[]): string;
  label(item: Item): string | string[];
}

/** Reads out the numbers of a row, and what may be said of it. `rowOf` finds its index. */
export function tooltip(figure: ChartFigure, rowOf: (item: Item) => number): object {
  const rowAt = (item: Item): ChartFigure["rows"][number] | undefined => figure.rows[rowOf(item)];
  const words: Words = {
    title: ([item]) => (item && rowAt(item)?.label) ?? "",
    label: (item) => rowAt(item)?.readout ?? [],
  };
  return tooltipOf(words, (item) => rowAt(item)?.runs ?? []);
}

/** A tooltip that says `words`, and leads to the runs behind its first point. */
export function tooltipOf(words: Words, runsOf: (item: Item) => number[] = () => []): object {
  return {
    enabled: false,
    callbacks: words,
    external({ chart, tooltip }: { chart: Chart; tooltip: TooltipModel<"bar"> }): void {
      const [item] = tooltip.dataPoints ?? [];
      showPanel(chart, tooltip, item ? [...new Set(runsOf(item))] : []);
    },
  };
}

/** The cells of a line of the table behind its first one, each with its heading. */
export function cellsOf(element: HTMLElement, index: number): string[] {
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

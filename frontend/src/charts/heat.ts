import { CategoryScale, type Chart, Legend, Tooltip } from "chart.js";
import { MatrixController, MatrixElement } from "chartjs-chart-matrix";
import { labelAxis, LETTER, titleOf } from "./axes";
import { divergingColour } from "./heat-colours";
import type { Part } from "./figure";
import { lengthOf, wrapped } from "./labels";
import type { Kind } from "./plot";
import { type Cells, cellsOf, outermost } from "./series";
import type { Theme } from "./theme";
import { tooltip } from "./tooltip";
import type { ChartFigure } from "./view";

/** What a legend of colours shows. */
const SHARES = [0.1, 0.5, 1, 2, 10];
const GAP = 6;
const LINE = 13;

type Area = { chart: Chart };

/** Draws two factors as rows and columns; colour says better or worse than the baseline, text how much. */
export const heat: Kind<Part> = {
  parts: [CategoryScale, Legend, MatrixController, MatrixElement, Tooltip],
  configure,
};

function configure(figure: Part, _element: HTMLElement, theme: Theme): object {
  const cells = cellsOf(figure);
  const [down = 0, across = 1] = figure.drawn_factors;
  const framed = outermost(figure);
  const share = (count: number, length: number): number => Math.max(4, length / count - 2);
  return {
    type: "matrix",
    data: {
      datasets: [
        {
          data: cells.cells,
          backgroundColor: cells.cells.map((cell) => divergingColour(cell.share, theme, figure.higher_is_better === false)),
          borderColor: theme.ink,
          borderWidth: cells.cells.map((cell) => (cell.row === framed ? 3 : 0)),
          width: ({ chart }: Area) => share(cells.columns.length, chart.chartArea?.width ?? 0),
          height: ({ chart }: Area) => share(cells.lines.length, chart.chartArea?.height ?? 0),
        },
      ],
    },
    options: {
      animation: false,
      maintainAspectRatio: false,
      scales: {
        x: { ...axis(cells.columns, figure.at_titles[across], theme), position: "bottom" },
        y: { ...axis(cells.lines, figure.at_titles[down], theme), reverse: false },
      },
      plugins: {
        legend: legend(figure, theme),
        tooltip: tooltip(figure, (item) => cells.cells[item.dataIndex]?.row ?? 0),
      },
    },
    plugins: [cellTexts(figure, cells, theme)],
  };
}

/** What the colours mean, from a tenth to ten times what they are shares of. */
function legend(figure: ChartFigure, theme: Theme): object {
  const swatch = (share: number): object => ({
    text: String(share),
    fillStyle: divergingColour(share, theme, figure.higher_is_better === false),
    fontColor: theme.ink,
    strokeStyle: theme.line,
    lineWidth: 1,
  });
  return {
    title: titleOf(figure.colours_title, theme),
    labels: { boxWidth: 18, generateLabels: () => SHARES.map(swatch) },
    // Chart.js would hide a data set
    onClick: () => undefined,
  };
}

function axis(labels: string[], title: string | undefined, theme: Theme): object {
  return {
    ...labelAxis(labels, theme),
    labels: places(labels),
    title: titleOf(title ?? "", theme),
  };
}

function places(labels: string[]): string[] {
  return labels.map((_, index) => String(index));
}

function cellTexts(figure: ChartFigure, cells: Cells, theme: Theme): object {
  return {
    id: "cells",
    afterDatasetsDraw(chart: Chart): void {
      const { ctx } = chart;
      ctx.save();
      ctx.textAlign = "center";
      ctx.textBaseline = "middle";
      const letters = (chart.chartArea.width / cells.columns.length - GAP) / LETTER;
      const most = Math.floor((chart.chartArea.height / cells.lines.length - GAP) / LINE);
      for (const cell of cells.cells) {
        const row = figure.rows[cell.row];
        const x = chart.scales["x"]?.getPixelForValue(Number(cell.x)) ?? 0;
        const y = chart.scales["y"]?.getPixelForValue(Number(cell.y)) ?? 0;
        ctx.font = row?.text ? `600 12px ${theme.font}` : `11px ${theme.font}`;
        ctx.fillStyle = row?.text ? theme.ink : theme.soft;
        const lines = row?.text ? [row.text] : remarkLines(row?.remark ?? "", letters, most);
        lines.forEach((line, nth) => {
          ctx.fillText(line, x, y + LINE * (nth - (lines.length - 1) / 2));
        });
      }
      ctx.restore();
    },
  };
}

/** A remark in at most so many lines of so many Latin letters; where it is longer, the pointer tells it. */
export function remarkLines(remark: string, letters: number, most: number): string[] {
  const lines = wrapped(remark, letters, Number.POSITIVE_INFINITY);
  const fits = lines.length <= most && lines.every((line) => lengthOf(line) <= letters);
  return fits ? lines : ["–"];
}

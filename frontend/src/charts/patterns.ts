import { ROUNDS, SERIES } from "./view";

/** After ten colours the same ones come again with a pattern: stripes, the other way, crossed. */
const RISING: Stroke = [0, 8, 8, 0];
const FALLING: Stroke = [0, 0, 8, 8];
const STROKES = [[], [RISING], [FALLING], [RISING, FALLING]];
export const SIZE = 8;

/** From (x, y) to (x, y) in a tile of 8 by 8. */
type Stroke = [number, number, number, number];
type Paint = (context: CanvasRenderingContext2D) => void;

/** Makes a fill that repeats what is painted; null where none can be made. */
export type Tiles = (paint: Paint) => string | CanvasPattern | null;

/** The fill of a slot: its colour, with the lines of its round drawn over in `line`. */
export function fillOf(
  slot: number,
  colour: string,
  line: string,
  tiles: Tiles,
): string | CanvasPattern {
  const strokes = STROKES[Math.floor(slot / SERIES) % ROUNDS] ?? [];
  if (!strokes.length) return colour;
  return tiles((context) => paint(context, strokes, colour, line)) ?? colour;
}

function paint(
  context: CanvasRenderingContext2D,
  strokes: Stroke[],
  colour: string,
  line: string,
): void {
  context.fillStyle = colour;
  context.fillRect(0, 0, SIZE, SIZE);
  context.strokeStyle = line;
  context.lineWidth = 1.5;
  for (const [fromX, fromY, toX, toY] of strokes) {
    context.beginPath();
    context.moveTo(fromX, fromY);
    context.lineTo(toX, toY);
    context.stroke();
  }
}

/** Tiles on the screen. */
export function screenTiles(paint: Paint): CanvasPattern | null {
  const tile = document.createElement("canvas");
  tile.width = tile.height = SIZE;
  const context = tile.getContext("2d");
  if (!context) return null;
  paint(context);
  return context.createPattern(tile, "repeat");
}

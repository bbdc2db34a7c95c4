/** After ten colours the same ones come again with a pattern: stripes, the other way, crossed. */
const STROKES = [[], ["M0 8L8 0"], ["M0 0L8 8"], ["M0 8L8 0", "M0 0L8 8"]];
const COLOURS = 10;
const SIZE = 8;

/** The fill of a slot: its colour, with the lines of its round drawn over in `line`. */
export function fillOf(slot: number, colour: string, line: string): string | CanvasPattern {
  const strokes = STROKES[Math.floor(slot / COLOURS) % STROKES.length] ?? [];
  const tile = document.createElement("canvas");
  tile.width = tile.height = SIZE;
  const context = tile.getContext("2d");
  if (!strokes.length || !context) return colour;
  context.fillStyle = colour;
  context.fillRect(0, 0, SIZE, SIZE);
  context.strokeStyle = line;
  context.lineWidth = 1.5;
  for (const stroke of strokes) context.stroke(new Path2D(stroke));
  return context.createPattern(tile, "repeat") ?? colour;
}

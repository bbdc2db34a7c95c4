/** A label in lines of at most `width` Latin letters; Japanese ones are twice as wide. */
export function wrapped(label: string, width: number, most = 3): string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of words(label)) {
    if (line && lengthOf(line + word.trimEnd()) > width) {
      lines.push(line.trimEnd());
      line = "";
    }
    line += word;
  }
  lines.push(line.trimEnd());
  if (lines.length <= most) return lines;
  return [...lines.slice(0, most - 1), `${lines[most - 1] ?? ""}…`];
}

/** The width of a text in Latin letters. */
export function lengthOf(text: string): number {
  let length = 0;
  for (const letter of text) length += (letter.codePointAt(0) ?? 0) > 0x2e7f ? 2 : 1;
  return length;
}

/** Words with the blank behind them; each Japanese letter may end a line. */
function words(label: string): string[] {
  return label.match(/[\u2e80-\uffef]\s*|[^\s\u2e80-\uffef]+\s*/gu) ?? [label];
}

let segmenter: Intl.Segmenter | undefined;

/** A label in lines of at most `width` Latin letters; Japanese ones are twice as wide. */
export function wrapped(label: string, width: number, most = 3): string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of words(label, width)) {
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

/** A label of at most `width` Latin letters: where it is longer, its middle is left out. */
export function shortened(label: string, width: number): string {
  if (lengthOf(label) <= width) return label;
  const letters = Array.from(label);
  const head = fitting(letters, Math.ceil((width - 1) / 2));
  const tail = fitting(letters.toReversed(), Math.floor((width - 1) / 2)).toReversed();
  return `${head.join("").trimEnd()}…${tail.join("").trimStart()}`;
}

/** Labels of at most `width` Latin letters: where one is longer, all lose what does not tell them apart. */
export function toldApart(labels: string[], width: number): string[] {
  const shown = withoutCommonEnds(withoutParts(labels, width), width);
  return shown.map((label) => shortened(label, width));
}

function fit(labels: string[], width: number): boolean {
  return labels.every((label) => lengthOf(label) <= width);
}

/** Without parts between dots, the longest first, that others follow from or that are the same everywhere. */
function withoutParts(labels: string[], width: number): string[] {
  const count = new Set(labels).size;
  let parts = labels.map((label) => label.split(/\s·\s/));
  if (new Set(parts.map((own) => own.length)).size !== 1) return labels;
  for (;;) {
    const joined = parts.map((own) => own.join(" · "));
    if (fit(joined, width) || parts[0]!.length < 2) return joined;
    const least = longestFirst(parts)
      .map((left) => parts.map((own) => own.toSpliced(left, 1)))
      .find((all) => new Set(all.map((own) => own.join(" · "))).size === count);
    if (!least) return joined;
    parts = least;
  }
}

/** The places of parts, by how much room all labels would gain. */
function longestFirst(parts: string[][]): number[] {
  const size = (place: number): number => parts.reduce((sum, own) => sum + lengthOf(own[place] ?? ""), 0);
  return Array.from(parts[0] ?? [], (_, place) => place).sort((a, b) => size(b) - size(a));
}

/** Without the words that all of them begin or end with. */
function withoutCommonEnds(labels: string[], width: number): string[] {
  if (fit(labels, width) || labels.length < 2) return labels;
  const every = labels.map((label) => label.match(/[^\s,]+[\s,]*/g) ?? [label]);
  const most = Math.min(...every.map((own) => own.length)) - 1;
  const head = commonCount(every, most);
  const tail = commonCount(every.map((own) => own.toReversed()), most - head);
  return every.map((own) => {
    const kept = own.slice(head, own.length - tail).join("").trimEnd();
    return `${head ? "…" : ""}${tail ? `${kept.replace(/,$/, "")}…` : kept}`;
  });
}

/** How many words, `most` at most, all begin with. */
function commonCount(every: string[][], most: number): number {
  const [first = []] = every;
  const end = first.findIndex((word, place) => place >= most || every.some((own) => own[place] !== word));
  return Math.max(0, end);
}

/** The first letters that are no wider together. */
function fitting(letters: string[], width: number): string[] {
  let length = 0;
  const end = letters.findIndex((letter) => (length += lengthOf(letter)) > width);
  return end < 0 ? letters : letters.slice(0, end);
}

/** Words with the blank, and the dot, behind them; where there are no blanks, as the language has them. */
function words(label: string, width: number): string[] {
  const parts = label.match(/[\u2e80-\uffef]+\s*(?:·\s*)?|[^\s\u2e80-\uffef]+\s*(?:·\s*)?/gu) ?? [label];
  return parts.flatMap((part) => (lengthOf(part) > part.length ? japanese(part, width) : latin(part, width)));
}

/** A word longer than a line, such as a file name, breaks after its punctuation. */
function latin(part: string, width: number): string[] {
  if (part.replace(/[\s·]+$/, "").length <= width) return [part];
  return part.match(/[^-_./,:=]+[-_./,:=]*\s*|[-_./,:=]+\s*/g) ?? [part];
}

/** Particles, marks and blanks stay with the word before them; what is longer than a line breaks anywhere. */
function japanese(part: string, width: number): string[] {
  // its dictionary takes 10 ms, which pages without Japanese labels need not wait for
  segmenter ??= new Intl.Segmenter("ja", { granularity: "word" });
  const found: string[] = [];
  for (const { segment } of segmenter.segment(part)) {
    if (found.length && /^[\s\p{P}\u3040-\u309f\u30fc]{1,2}$/u.test(segment)) found[found.length - 1] += segment;
    else found.push(segment);
  }
  return found.flatMap((word) => (lengthOf(word.trimEnd()) > width ? Array.from(word) : [word]));
}

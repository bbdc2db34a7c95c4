const MOST_PIECES = 4000;
const AT_END_PX = 40;

/** Output as it comes: the end stays in view for those who look at the end. */
export class LogPane {
  private readonly decoders = new Map<string, TextDecoder>();
  private readonly returned = new Set<string>();
  private begun = false;

  constructor(private readonly pane: HTMLElement) {
    this.toEnd();
  }

  /** Adds base64 bytes of one step's stream; a letter may be cut between two pieces. */
  add(step: number, stream: string, data: string): void {
    if (!this.begun && !this.pane.dataset["filled"]) this.pane.textContent = "";
    this.begun = true;
    const followed = this.isAtEnd;
    const piece = document.createElement("span");
    piece.className = stream;
    piece.textContent = this.lines(`${step} ${stream}`, data);
    this.pane.append(piece);
    while (this.pane.childNodes.length > MOST_PIECES) this.pane.firstChild?.remove();
    if (followed) this.toEnd();
  }

  /** A carriage return ends a line as a line feed does; both together end one. */
  private lines(key: string, data: string): string {
    const text = this.decode(key, data);
    const rest = this.returned.has(key) && text.startsWith("\n") ? text.slice(1) : text;
    if (text.endsWith("\r")) this.returned.add(key);
    else if (text) this.returned.delete(key);
    return rest.replace(/\r\n?/g, "\n");
  }

  private decode(key: string, data: string): string {
    const decoder = this.decoders.get(key) ?? new TextDecoder();
    this.decoders.set(key, decoder);
    const bytes = Uint8Array.from(atob(data), (letter) => letter.charCodeAt(0));
    return decoder.decode(bytes, { stream: true });
  }

  private get isAtEnd(): boolean {
    const { scrollTop, clientHeight, scrollHeight } = this.pane;
    return scrollHeight - scrollTop - clientHeight < AT_END_PX;
  }

  private toEnd(): void {
    this.pane.scrollTop = this.pane.scrollHeight;
  }
}

import { htmx } from "./htmx";
import { droppedFiles } from "./dropped-files";
import { batches, type Batch } from "./upload-batches";

const AT_ONCE = 3;

/** Sends files as soon as they are chosen or dropped; the server answers with their list items. */
export function attach(element: HTMLElement): void {
  const form = element as HTMLFormElement;
  const input = form.querySelector<HTMLInputElement>('input[type="file"]')!;
  const drop = form.querySelector<HTMLElement>("[data-drop]")!;
  const queue = new Queue(form);
  showScripted(form);
  input.addEventListener("change", () => {
    queue.add(batches(Array.from(input.files ?? [], (file) => ({ file, path: file.name }))));
    input.value = "";
  });
  for (const name of ["dragenter", "dragover", "dragleave", "drop"]) {
    drop.addEventListener(name, (event) => {
      event.preventDefault();
      drop.classList.toggle("over", name === "dragenter" || name === "dragover");
    });
  }
  drop.addEventListener("drop", async (event) => {
    if (!event.dataTransfer) return;
    const dropped = await droppedFiles(event.dataTransfer);
    queue.add(batches(dropped.files));
    for (const path of dropped.unreadable) queue.leaveOut(path);
  });
  window.addEventListener("beforeunload", (event) => {
    if (queue.isBusy) event.preventDefault();
  });
}

function showScripted(form: HTMLFormElement): void {
  for (const part of form.querySelectorAll<HTMLElement>("[data-scripted]")) part.hidden = false;
  const submit = form.querySelector<HTMLElement>("[data-submit]")!;
  submit.textContent = submit.dataset["words"] ?? "";
}

/** Batches on their way, a few at a time. */
class Queue {
  private readonly waiting: [Batch, HTMLElement][] = [];
  private sending = 0;

  constructor(private readonly form: HTMLFormElement) {}

  get isBusy(): boolean {
    return this.sending + this.waiting.length > 0;
  }

  add(all: Batch[]): void {
    for (const batch of all) this.waiting.push([batch, this.itemOf(batch.title)]);
    this.fill();
  }

  /** Says of a file that it was not sent. */
  leaveOut(path: string): void {
    this.showError("unreadable", { title: path, files: [] }, this.itemOf(path));
  }

  private itemOf(title: string): HTMLElement {
    const item = copy(this.form, "sending").firstElementChild as HTMLElement;
    item.querySelector("[data-name]")!.textContent = title;
    this.form.querySelector("[data-outcomes]")!.append(item);
    return item;
  }

  private fill(): void {
    while (this.sending < AT_ONCE) {
      const next = this.waiting.shift();
      if (!next) return;
      this.sending += 1;
      send(this.form, ...next).then((sentence) => {
        this.sending -= 1;
        if (sentence) this.showError(sentence, ...next);
        this.fill();
        if (!this.isBusy) this.group();
      });
    }
  }

  /** Once all files are there: several machines among them get a place for an assignment each. */
  private group(): void {
    const place = this.form.querySelector("[data-machines]");
    void htmx.then((loaded) => place && loaded.trigger(place, "uploaded", {}));
  }

  /** Says why a batch did not arrive, with a button where another try makes sense. */
  private showError(sentence: string, batch: Batch, item: HTMLElement): void {
    item.querySelector("[data-state]")!.textContent = "";
    item.querySelector("[data-more]")!.replaceChildren(copy(this.form, sentence));
    item.querySelector("[data-again]")?.addEventListener("click", () => {
      item.remove();
      this.add([batch]);
    });
  }
}

/** Resolves to "" when the item was replaced by the server's, else to the template that says why. */
function send(form: HTMLFormElement, batch: Batch, item: HTMLElement): Promise<string> {
  const body = new FormData();
  for (const { file, path } of batch.files) {
    body.append("file", file);
    body.append("path", path);
  }
  const progress = item.querySelector("progress")!;
  const request = new XMLHttpRequest();
  request.open("POST", form.dataset["address"]!);
  request.setRequestHeader("X-CSRFToken", new FormData(form).get("csrfmiddlewaretoken") as string);
  request.upload.addEventListener("progress", (event) => {
    progress.value = event.loaded / event.total;
    if (event.loaded === event.total) {
      item.querySelector("[data-state]")!.replaceChildren(copy(form, "reading"));
    }
  });
  return new Promise((resolve) => {
    request.addEventListener("error", () => resolve("lost"));
    request.addEventListener("load", () => resolve(shown(request, item)));
    request.send(body);
  });
}

function shown(request: XMLHttpRequest, item: HTMLElement): string {
  if (request.responseURL.includes("/sign-in/") || request.status === 403) return "signed-out";
  if (request.status === 413) return "too-large";
  if (request.status === 400) return "lost";
  if (request.status > 500) return "away";
  if (request.status !== 200) return "failed";
  const items = document.createElement("template");
  items.innerHTML = request.responseText;
  const parts = Array.from(items.content.children);
  item.replaceWith(...parts);
  void htmx.then((loaded) => parts.forEach((part) => loaded.process(part)));
  return "";
}

function copy(form: HTMLFormElement, name: string): DocumentFragment {
  const template = form.querySelector<HTMLTemplateElement>(`template[data-${name}]`)!;
  return template.content.cloneNode(true) as DocumentFragment;
}

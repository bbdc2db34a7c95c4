/** A module does its work on the element that announced it by `data-part`. */
export type Attach = (element: HTMLElement) => void | Promise<void>;

/** Modules by the name that elements announce. */
export type Modules = Record<string, Attach>;

/** Attaches each announced module below `root` once; a name without a module is a bug, and loud. */
export async function attach(root: ParentNode, modules: Modules): Promise<void> {
  const waiting = root.querySelectorAll<HTMLElement>("[data-part]:not([data-attached])");
  await Promise.all(Array.from(waiting, (element) => attachOne(element, modules)));
}

async function attachOne(element: HTMLElement, modules: Modules): Promise<void> {
  const name = element.dataset["part"] ?? "";
  const work = modules[name];
  if (!work) throw new Error(`No module is named "${name}".`);
  element.dataset["attached"] = "";
  await work(element);
}

/** A module does its work on the element that announced it by `data-chart` or `data-part`. */
export interface Module {
  attach(element: HTMLElement): void | Promise<void>;
}

/** Modules by the name that elements announce, loaded when a page first shows one. */
export type Modules = Record<string, () => Promise<Module>>;

/** Attaches each announced module below `root` once; a name without a module is a bug, and loud. */
export async function attach(root: ParentNode, kind: string, modules: Modules): Promise<void> {
  const waiting = root.querySelectorAll<HTMLElement>(`[data-${kind}]:not([data-attached])`);
  await Promise.all(Array.from(waiting, (element) => attachOne(element, kind, modules)));
}

async function attachOne(element: HTMLElement, kind: string, modules: Modules): Promise<void> {
  const name = element.dataset[kind] ?? "";
  const load = modules[name];
  if (!load) throw new Error(`No ${kind} module is named "${name}".`);
  element.dataset["attached"] = "";
  await (await load()).attach(element);
}

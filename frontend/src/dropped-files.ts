/** A file with its path within the folder that was dropped. */
export interface Dropped {
  file: File;
  path: string;
}

/** What a drop held; `unreadable` are the paths that the browser could not read. */
export interface Drop {
  files: Dropped[];
  unreadable: string[];
}

/** All files of a drop, folders read to their depths; one that cannot be read keeps back no other. */
export async function droppedFiles(transfer: DataTransfer): Promise<Drop> {
  const entries = Array.from(transfer.items, (item) => item.webkitGetAsEntry());
  const known = entries.filter((entry) => entry !== null);
  if (known.length > 0) return together(await Promise.all(known.map(below)));
  return { files: Array.from(transfer.files, (file) => ({ file, path: file.name })), unreadable: [] };
}

function together(drops: Drop[]): Drop {
  return {
    files: drops.flatMap((drop) => drop.files),
    unreadable: drops.flatMap((drop) => drop.unreadable),
  };
}

async function below(entry: FileSystemEntry): Promise<Drop> {
  const path = entry.fullPath.replace(/^\//, "");
  try {
    if (entry.isFile) {
      const file = await new Promise<File>((resolve, reject) =>
        (entry as FileSystemFileEntry).file(resolve, reject),
      );
      return { files: [{ file, path }], unreadable: [] };
    }
    const entries = await entriesOf((entry as FileSystemDirectoryEntry).createReader());
    return together(await Promise.all(entries.map(below)));
  } catch {
    return { files: [], unreadable: [path] };
  }
}

/** A reader gives a folder in portions (Chromium: 100) until an empty one. */
async function entriesOf(reader: FileSystemDirectoryReader): Promise<FileSystemEntry[]> {
  const all: FileSystemEntry[] = [];
  for (;;) {
    const portion = await new Promise<FileSystemEntry[]>((resolve, reject) =>
      reader.readEntries(resolve, reject),
    );
    if (portion.length === 0) return all;
    all.push(...portion);
  }
}

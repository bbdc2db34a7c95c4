/** A file with its path within the folder that was dropped. */
export interface Dropped {
  file: File;
  path: string;
}

/** All files of a drop, folders read to their depths. */
export async function droppedFiles(transfer: DataTransfer): Promise<Dropped[]> {
  const entries = Array.from(transfer.items, (item) => item.webkitGetAsEntry());
  const known = entries.filter((entry) => entry !== null);
  if (known.length === 0) {
    return Array.from(transfer.files, (file) => ({ file, path: file.name }));
  }
  return (await Promise.all(known.map(filesBelow))).flat();
}

async function filesBelow(entry: FileSystemEntry): Promise<Dropped[]> {
  if (entry.isFile) {
    const file = await new Promise<File>((resolve, reject) =>
      (entry as FileSystemFileEntry).file(resolve, reject),
    );
    return [{ file, path: entry.fullPath.replace(/^\//, "") }];
  }
  const entries = await entriesOf((entry as FileSystemDirectoryEntry).createReader());
  return (await Promise.all(entries.map(filesBelow))).flat();
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

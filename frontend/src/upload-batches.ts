import type { Dropped } from "./dropped-files";

const FIO_LOG = /_(bw|iops|lat|clat|slat)(\.\d+)?\.log$/;
const MOST_TOGETHER = 100;

/** Files that travel in one request, and what people see of it while it does. */
export interface Batch {
  title: string;
  files: Dropped[];
}

/**
 * Each file by itself; but the files of a folder together where logs of fio lie in it: a log
 * belongs to the result that it lies beside, and only what comes together is known to.
 */
export function batches(files: Dropped[]): Batch[] {
  return Array.from(byFolder(files)).flatMap(([folder, inside]) => {
    const together = inside.length > 1 && inside.length <= MOST_TOGETHER && inside.some(isLog);
    if (!together) return inside.map((file) => ({ title: file.path, files: [file] }));
    return [{ title: `${folder || inside[0]!.path} (${inside.length})`, files: inside }];
  });
}

function byFolder(files: Dropped[]): Map<string, Dropped[]> {
  const folders = new Map<string, Dropped[]>();
  for (const dropped of files) {
    const folder = dropped.path.slice(0, Math.max(0, dropped.path.lastIndexOf("/")));
    folders.set(folder, [...(folders.get(folder) ?? []), dropped]);
  }
  return folders;
}

function isLog(dropped: Dropped): boolean {
  return FIO_LOG.test(dropped.path);
}

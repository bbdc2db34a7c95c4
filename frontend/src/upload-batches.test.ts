import { expect, test } from "vitest";
import { batches } from "./upload-batches";

const dropped = (...paths: string[]) => paths.map((path) => ({ path, file: new File([], path) }));
const titles = (...paths: string[]) => batches(dropped(...paths)).map((batch) => batch.title);

test("each file travels by itself", () => {
  expect(titles("a.json", "b/c.txt", "b/d.txt")).toEqual(["a.json", "b/c.txt", "b/d.txt"]);
});

test("a folder with logs of fio travels together", () => {
  const found = batches(dropped("a.json", "run/fio.json", "run/seq_bw.1.log", "run/seq_lat.log"));
  expect(found.map((batch) => batch.files.length)).toEqual([1, 3]);
  expect(found[1]!.title).toBe("run (3)");
});

test("a log that comes alone stays alone, and so do other files that end with .log", () => {
  expect(titles("seq_bw.log")).toEqual(["seq_bw.log"]);
  expect(titles("mdtest.log", "a.json")).toEqual(["mdtest.log", "a.json"]);
});

test("a folder of very many files is sent file by file", () => {
  const many = Array.from({ length: 200 }, (_, n) => `run/job_bw.${n}.log`);
  expect(batches(dropped(...many))).toHaveLength(200);
});

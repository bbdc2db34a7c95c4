import { expect, test } from "vitest";
import { lengthOf, shortened, toldApart, wrapped } from "./labels";

test("a short label stays on one line", () => {
  expect(wrapped("Protocol A, ext3", 20)).toEqual(["Protocol A, ext3"]);
});

test("a long label breaks between words", () => {
  expect(wrapped("Protocol C, Primary/Secondary, ext3", 20)).toEqual([
    "Protocol C,",
    "Primary/Secondary,",
    "ext3",
  ]);
});

test("Japanese breaks between words and counts twice", () => {
  expect(lengthOf("測定 n")).toBe(6);
  expect(wrapped("共有ディスクの測定", 12)).toEqual(["共有", "ディスクの", "測定"]);
  expect(wrapped("異なるゾーン間のミラー", 20)).toEqual(["異なるゾーン間の", "ミラー"]);
  expect(wrapped("シーケンシャル", 8)).toEqual(["シーケン", "シャル"]);
});

test("a file name breaks after its punctuation", () => {
  expect(wrapped("randwrite-64k-qd16-r1.json", 22)).toEqual(["randwrite-64k-qd16-r1.", "json"]);
  expect(wrapped("fio randwrite-64k-qd16-repeat.json", 16)).toEqual(["fio randwrite-", "64k-qd16-repeat.", "json"]);
});

test("what does not fit says so", () => {
  expect(wrapped("one two three four", 5, 2)).toEqual(["one", "two…"]);
});

test("an empty label is an empty line", () => {
  expect(wrapped("", 10)).toEqual([""]);
});

test("what is too long keeps both its ends", () => {
  expect(shortened("randread 4 KiB", 14)).toBe("randread 4 KiB");
  expect(shortened("randread 4 KiB on the mirror, 16 guests", 21)).toBe("randread 4…16 guests");
  expect(shortened("異なるゾーン間のミラー", 11)).toBe("異な…ラー");
});

test("labels that fit together stay as they are", () => {
  expect(toldApart(["ext4 on md · 1", "ext4 on md · 2"], 14)).toEqual(["ext4 on md · 1", "ext4 on md · 2"]);
});

test("labels that are too long lose what does not tell them apart", () => {
  const zones = ["ext4 · hosts of November", "RBD · Ceph of November"];
  const labels = [1, 2].flatMap((guests) => zones.map((zone) => `${zone} · guests ${guests} · all`));
  expect(toldApart(labels, 20)).toEqual([
    "ext4 · guests 1",
    "RBD · guests 1",
    "ext4 · guests 2",
    "RBD · guests 2",
  ]);
});

test("words that all begin or end with are left out", () => {
  const arrays = ["5", "6"].map((level) => `ext4 on LVM on RAID ${level}, data=ordered`);
  expect(toldApart(arrays, 20)).toEqual(["…5…", "…6…"]);
  expect(toldApart(["ext4 on LVM on RAID 6", "ext4 on LVM on RAID 6, noop"], 16)).toEqual(["…6", "…6, noop"]);
});

test("what still does not fit keeps both its ends", () => {
  expect(toldApart(["one very long name of its own", "another very long name here"], 15)).toEqual([
    "one ver…its own",
    "another…me here",
  ]);
});

test("no line begins with a dot between parts", () => {
  expect(wrapped("Mirror within one zone · emulated hosts", 22)).toEqual([
    "Mirror within one",
    "zone · emulated hosts",
  ]);
  expect(wrapped("ローカルボリューム · 環境", 20)).toEqual(["ローカルボリューム ·", "環境"]);
});

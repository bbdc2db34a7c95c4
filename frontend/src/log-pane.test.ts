import { beforeEach, expect, test } from "vitest";
import { LogPane } from "./log-pane";
import { durationText } from "./duration-text";

const base64 = (bytes: number[]): string => btoa(String.fromCharCode(...bytes));
let pane: HTMLElement;

beforeEach(() => {
  document.body.innerHTML = `<pre data-log>nothing yet</pre>`;
  pane = document.querySelector("pre")!;
});

test("the words that stood there for nothing go when something comes", () => {
  const log = new LogPane(pane);
  log.add(1, "out", btoa("one\rtwo\r\n"));
  expect(pane.textContent).toBe("one\ntwo\n");
});

test("what the server filled in stays, and goes on", () => {
  pane.dataset["filled"] = "1";
  new LogPane(pane).add(1, "err", btoa("more"));
  expect(pane.textContent).toBe("nothing yetmore");
  expect(pane.lastElementChild?.className).toBe("err");
});

test("a letter that was cut between two pieces is whole again, also with another stream between", () => {
  const log = new LogPane(pane);
  const letter = [0xe6, 0x97, 0xa5];
  log.add(1, "out", base64(letter.slice(0, 2)));
  log.add(1, "err", btoa("!"));
  log.add(1, "out", base64(letter.slice(2)));
  expect(pane.textContent).toBe("!日");
});

test("a line's end that was cut between two pieces is one end", () => {
  const log = new LogPane(pane);
  for (const part of ["one\r", "\ntwo\r", "three\n"]) log.add(1, "out", btoa(part));
  expect(pane.textContent).toBe("one\ntwo\nthree\n");
});

test("output is text, never markup", () => {
  new LogPane(pane).add(1, "out", btoa("<img src=x onerror=alert(1)>"));
  expect(pane.querySelector("img")).toBeNull();
});

test("a time span reads as a clock", () => {
  expect([5, 65, 3723].map(durationText)).toEqual(["0:05", "1:05", "1:02:03"]);
});

import { expect, test } from "vitest";
import { attach, compare, withPair } from "./sortable";

function table(): HTMLElement {
  document.body.innerHTML = `<table>
    <thead><tr><th>Group</th><th>Median</th></tr></thead>
    <tbody>
      <tr><th>raid 10</th><td data-value="3">3.00</td></tr>
      <tr><th>raid 2</th><td data-value="20">20.0</td></tr>
      <tr><th>ssd</th><td data-value="">too fast to measure</td></tr>
    </tbody></table>`;
  const element = document.querySelector("table") as HTMLElement;
  attach(element);
  return element;
}

const order = (element: HTMLElement): string[] =>
  Array.from(element.querySelectorAll("tbody th"), (cell) => cell.textContent ?? "");

function press(element: HTMLElement, name: string): void {
  const buttons = Array.from(element.querySelectorAll<HTMLButtonElement>("thead button"));
  buttons.find((button) => button.textContent === name)?.click();
}

test("a press on a heading puts the largest first, another the smallest", () => {
  const element = table();
  press(element, "Median");
  expect(order(element)).toEqual(["raid 2", "raid 10", "ssd"]);
  expect(element.querySelectorAll("thead th")[1]?.getAttribute("aria-sort")).toBe("descending");
  press(element, "Median");
  expect(order(element)).toEqual(["raid 10", "raid 2", "ssd"]);
});

test("names are sorted with their numbers, and only one heading says that it sorts", () => {
  const element = table();
  press(element, "Median");
  press(element, "Group");
  expect(order(element)).toEqual(["raid 2", "raid 10", "ssd"]);
  expect(element.querySelectorAll("[aria-sort]")).toHaveLength(1);
  expect(element.querySelector("th")?.getAttribute("aria-sort")).toBe("ascending");
  press(element, "Group");
  expect(order(element)).toEqual(["ssd", "raid 10", "raid 2"]);
});

test("what is not there comes last, whichever way", () => {
  expect(compare(null, 1, true)).toBe(1);
  expect(compare(null, 1, false)).toBe(1);
  expect(compare(1, null, true)).toBe(-1);
});

test("the order stands in the address once, and all else stays as it was written", () => {
  expect(withPair("", "sort", "n")).toBe("?sort=n");
  expect(withPair("?tool=fio&sort=-n&group=a,b", "sort", "group")).toBe("?tool=fio&group=a,b&sort=group");
});

test("only a table that says so writes it", () => {
  history.replaceState(null, "", "/compare/?tool=fio#overview");
  const element = table();
  element.querySelectorAll("th")[1]!.dataset["name"] = "seq_write.throughput.mean";
  press(element, "Median");
  expect(location.search).toBe("?tool=fio");
  element.dataset["address"] = "sort";
  press(element, "Median");
  expect(location.search + location.hash).toBe("?tool=fio&sort=seq_write.throughput.mean#overview");
  press(element, "Median");
  expect(location.search).toBe("?tool=fio&sort=-seq_write.throughput.mean");
});

import { expect, test } from "vitest";
import { attach } from "./plan-matrix";

function matrix(): HTMLElement {
  document.body.innerHTML = `<section>
    <figure><figcaption>Pattern read</figcaption><div class="heat" role="table">
      <div role="row"><span role="columnheader">bs</span><span role="columnheader">1</span><span role="columnheader">8</span></div>
      <div role="row"><span role="rowheader">4K</span><span role="cell"><a id="c1" href="#1" aria-label="44.9 MB/s, 3/8, best">44.9<i>★</i><small>3/8</small></a></span><span role="cell"><a id="c2" href="#2" aria-label="to come">·</a></span></div>
      <div role="row"><span role="rowheader">1M</span><span role="cell"><a id="c3" href="#3">12</a></span><span role="cell"><a id="c4" href="#4"></a></span></div>
    </div></figure>
    <p class="heat-readout" data-unit="MB/s"></p></section>`;
  const section = document.querySelector("section") as HTMLElement;
  attach(section);
  return section;
}

const readout = (): string => document.querySelector(".heat-readout")?.textContent ?? "";
const focused = (): string => document.activeElement?.id ?? "";

function press(key: string): void {
  document.activeElement?.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
}

test("a cell says where it stands, its number with its unit, and its state", () => {
  matrix().querySelector<HTMLElement>("#c1")?.focus();
  expect(readout()).toBe("Pattern read, 4K, 1: 44.9 MB/s, 3/8, best");
  press("ArrowRight");
  expect(readout()).toBe("Pattern read, 4K, 8: to come");
});

test("arrow keys, Home and End walk through cells and stay within", () => {
  const section = matrix();
  section.querySelector<HTMLElement>("#c1")?.focus();
  press("ArrowDown");
  expect(focused()).toBe("c3");
  press("ArrowDown");
  press("ArrowLeft");
  expect(focused()).toBe("c3");
  press("End");
  expect(focused()).toBe("c4");
  press("Home");
  press("ArrowUp");
  press("ArrowUp");
  expect(focused()).toBe("c1");
});

test("the whole matrix is one stop by Tab, where it was left", () => {
  const section = matrix();
  const stops = (): string[] =>
    Array.from(section.querySelectorAll<HTMLElement>("a"))
      .filter((cell) => cell.tabIndex === 0)
      .map((cell) => cell.id);
  expect(stops()).toEqual(["c1"]);
  section.querySelector<HTMLElement>("#c4")?.focus();
  expect(stops()).toEqual(["c4"]);
});

test("a cell that changed is still the stop that it was", async () => {
  const section = matrix();
  section.querySelector("#c1")!.outerHTML = '<a id="c1" href="#1" tabindex="-1">50</a>';
  await new Promise((go) => setTimeout(go));
  expect(section.querySelector<HTMLElement>("#c1")?.tabIndex).toBe(0);
});

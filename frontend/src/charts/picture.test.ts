import { expect, test } from "vitest";
import { wordsOf } from "./picture";

test("a picture says what it shows, how many runs, the day and the address", () => {
  document.body.innerHTML = `<figure><figcaption><span data-caption>Sequential write
    <span>MB/s</span></span><button>PNG</button></figcaption></figure>`;
  const figure = document.querySelector("figure") as HTMLElement;
  const day = new Date("2026-11-21T08:00:00Z");
  expect(wordsOf(figure, [5, 5], "http://house/compare/?study=a", day)).toEqual({
    title: "Sequential write MB/s",
    foot: "n = 5 · 2026-11-21 · http://house/compare/?study=a",
  });
  expect(wordsOf(figure, [1, 0, 4], "x", day).foot).toBe("n = 0 – 4 · 2026-11-21 · x");
});

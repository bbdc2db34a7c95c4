
import { expect, test } from "vitest";
import { leaves } from "./loading-bar";

function link(html: string): HTMLAnchorElement {
  document.body.innerHTML = html;
  return document.querySelector("a")!;
}

test("a link to another page leaves this one, a file or a place on it does not", () => {
  location.href = "http://here/runs/?tool=fio";
  expect(leaves(link('<a href="/studies/">'))).toBe(true);
  expect(leaves(link('<a href="/runs/">'))).toBe(true);
  expect(leaves(link('<a href="/runs/?tool=fio#raw">'))).toBe(false);
  expect(leaves(link('<a href="/runs/3/raw/">'))).toBe(false);
  expect(leaves(link('<a href="/api/v1/compare/?format=csv">'))).toBe(false);
  expect(leaves(link('<a href="https://elsewhere/">'))).toBe(false);
  expect(leaves(link('<a href="/runs/3/" target="_blank">'))).toBe(false);
});

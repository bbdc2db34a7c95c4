import { afterEach, expect, test } from "vitest";
import { focusRefused } from "./refused-field";

afterEach(() => document.body.replaceChildren());

test("the first invalid field has the focus", () => {
  document.body.innerHTML = `<input name="a"><input name="b" aria-invalid="true"><input name="c" aria-invalid="true">`;
  focusRefused(document);
  expect(document.activeElement?.getAttribute("name")).toBe("b");
});

test("a page with a focus of its own, or without an invalid field, is left alone", () => {
  document.body.innerHTML = `<input name="a" autofocus><input name="b" aria-invalid="true">`;
  focusRefused(document);
  document.body.innerHTML += `<p>fine</p>`;
  expect(document.activeElement).toBe(document.body);
});

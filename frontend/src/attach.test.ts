import { beforeEach, expect, test } from "vitest";
import { attach, type Modules } from "./attach";

const attached: string[] = [];
const parts: Modules = {
  menu: (element) => void attached.push(element.id),
};

beforeEach(() => {
  attached.length = 0;
  document.body.innerHTML = `<div id="a" data-part="menu"></div><div id="b"></div>`;
});

test("an element that announces a module gets it, others stay alone", async () => {
  await attach(document, parts);
  expect(attached).toEqual(["a"]);
});

test("a module is attached once, however often its page is looked through", async () => {
  await attach(document, parts);
  await attach(document, parts);
  expect(attached).toEqual(["a"]);
});

test("a module that nobody wrote is a loud bug", async () => {
  document.body.innerHTML = `<div data-part="pie"></div>`;
  await expect(attach(document, parts)).rejects.toThrow('"pie"');
});

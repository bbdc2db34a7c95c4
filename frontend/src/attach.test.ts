import { beforeEach, expect, test } from "vitest";
import { attach, type Modules } from "./attach";

const drawn: string[] = [];
const charts: Modules = {
  bars: async () => ({ attach: (figure) => void drawn.push(figure.id) }),
};

beforeEach(() => {
  drawn.length = 0;
  document.body.innerHTML = `<figure id="a" data-chart="bars"></figure><figure id="b"></figure>`;
});

test("a figure that announces a chart gets it, others stay alone", async () => {
  await attach(document, "chart", charts);
  expect(drawn).toEqual(["a"]);
});

test("a figure is drawn once, however often its page is looked through", async () => {
  await attach(document, "chart", charts);
  await attach(document, "chart", charts);
  expect(drawn).toEqual(["a"]);
});

test("a chart that nobody wrote is a loud bug", async () => {
  document.body.innerHTML = `<figure data-chart="pie"></figure>`;
  await expect(attach(document, "chart", charts)).rejects.toThrow('"pie"');
});

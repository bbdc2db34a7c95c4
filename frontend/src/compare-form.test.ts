import { expect, test } from "vitest";
import { attach, dropBlanks } from "./compare-form";

test("what nobody filled in stays out of the address", () => {
  const data = new FormData();
  for (const [name, value] of [["study", "a"], ["study", "b"], ["text", ""], ["axis", "log"]]) {
    data.append(name ?? "", value ?? "");
  }
  dropBlanks(data);
  expect([...data.entries()]).toEqual([["study", "a"], ["study", "b"], ["axis", "log"]]);
});

test("a control above the charts sends the form at once, a box among the choices waits", () => {
  document.body.innerHTML = `<form><p data-at-once><select id="axis"></select></p>
    <input type="checkbox" id="box"></form>`;
  const form = document.querySelector("form") as HTMLFormElement;
  let sent = 0;
  form.requestSubmit = () => void sent++;
  attach(form);
  document.getElementById("box")?.dispatchEvent(new Event("change", { bubbles: true }));
  expect(sent).toBe(0);
  document.getElementById("axis")?.dispatchEvent(new Event("change", { bubbles: true }));
  expect(sent).toBe(1);
  document.body.innerHTML += "";
  attach(document.querySelector("form") as HTMLFormElement);
  expect(document.activeElement?.id).toBe("axis");
});

test("who comes back sees what the address says", () => {
  document.body.innerHTML = `<form><p data-at-once><input type="checkbox" id="percent"></p>
    <input type="checkbox" id="waits"></form>`;
  const form = document.querySelector("form") as HTMLFormElement;
  attach(form);
  const box = document.getElementById("percent") as HTMLInputElement;
  const waits = document.getElementById("waits") as HTMLInputElement;
  box.checked = waits.checked = true;
  dispatchEvent(Object.assign(new Event("pageshow"), { persisted: true }));
  expect(box.checked).toBe(false);
  expect(waits.checked).toBe(true);
});

import { expect, test, vi } from "vitest";
import { attach, dropBlanks } from "./compare-form";

test("what nobody filled in stays out of the address", () => {
  const data = new FormData();
  for (const [name, value] of [["study", "a"], ["study", "b"], ["text", ""], ["axis", "log"]]) {
    data.append(name ?? "", value ?? "");
  }
  dropBlanks(data);
  expect([...data.entries()]).toEqual([["study", "a"], ["study", "b"], ["axis", "log"]]);
});

test("a control sends the form at once, boxes when no other follows, and keeps the focus", () => {
  vi.useFakeTimers();
  document.body.innerHTML = `<form><select id="axis"></select><details><div class="choosers">
    <input type="checkbox" name="tool" value="fio"><input type="checkbox" name="tool" value="dbench">
    </div></details></form>`;
  const form = document.querySelector("form") as HTMLFormElement;
  let sent = 0;
  form.requestSubmit = () => void sent++;
  attach(form);
  const change = (selector: string): void => {
    document.querySelector(selector)?.dispatchEvent(new Event("change", { bubbles: true }));
  };
  change("#axis");
  expect(sent).toBe(1);
  change("[value=fio]");
  change("[value=dbench]");
  expect(sent).toBe(1);
  vi.runAllTimers();
  expect(sent).toBe(2);
  vi.useRealTimers();
  document.body.innerHTML += "";
  attach(document.querySelector("form") as HTMLFormElement);
  expect((document.activeElement as HTMLInputElement).value).toBe("dbench");
  expect(document.querySelector("details")?.open).toBe(true);
});

test("a date that is typed waits for its end, one that is picked does not", () => {
  document.body.innerHTML = `<form><input type="date" name="since"></form>`;
  const form = document.querySelector("form") as HTMLFormElement;
  const field = document.querySelector("input") as HTMLInputElement;
  let sent = 0;
  form.requestSubmit = () => void sent++;
  attach(form);
  for (const year of ["0002", "0020", "0202", "2026"]) {
    field.dispatchEvent(new Event("keydown", { bubbles: true }));
    field.value = `${year}-01-15`;
    field.dispatchEvent(new Event("change", { bubbles: true }));
  }
  expect(sent).toBe(0);
  field.dispatchEvent(new Event("blur"));
  expect(sent).toBe(1);
  field.dispatchEvent(new Event("pointerdown", { bubbles: true }));
  field.dispatchEvent(new Event("change", { bubbles: true }));
  expect(sent).toBe(2);
});

test("who comes back sees what the address says", () => {
  document.body.innerHTML = `<form><input type="checkbox" id="percent"></form>`;
  const form = document.querySelector("form") as HTMLFormElement;
  attach(form);
  const box = document.getElementById("percent") as HTMLInputElement;
  box.checked = true;
  dispatchEvent(Object.assign(new Event("pageshow"), { persisted: true }));
  expect(box.checked).toBe(false);
});

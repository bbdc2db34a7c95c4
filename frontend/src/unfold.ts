/** A button below a table of which only the first rows are seen, in whatever order: it shows all, and fewer again. */
export function attach(button: HTMLElement): void {
  const table = document.getElementById(button.getAttribute("aria-controls")!)!;
  const words = [button.textContent, button.dataset["fewer"]!];
  button.addEventListener("click", () => {
    const isFolded = table.classList.toggle("folded");
    button.setAttribute("aria-expanded", String(!isFolded));
    button.textContent = words[Number(!isFolded)]!;
  });
}

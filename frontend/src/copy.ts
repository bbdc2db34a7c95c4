/** A button that copies what stands in the element of the id `data-of`, and says so beside itself. */
export function attach(button: HTMLElement): void {
  button.hidden = false;
  button.addEventListener("click", async () => {
    const source = document.getElementById(button.dataset["of"]!)!;
    if (!(await copied(source))) return;
    const notice = button.parentElement!.querySelector<HTMLElement>("[data-copied]")!;
    notice.textContent = notice.dataset["copied"]!;
  });
}

/** Without HTTPS there is no clipboard to write to: then what is selected is copied. */
async function copied(source: HTMLElement): Promise<boolean> {
  getSelection()!.selectAllChildren(source);
  try {
    await navigator.clipboard.writeText(source.textContent!);
    return true;
  } catch {
    return document.execCommand("copy");
  }
}

export function show(box: Element, html: string): void {
  box.innerHTML = html
}

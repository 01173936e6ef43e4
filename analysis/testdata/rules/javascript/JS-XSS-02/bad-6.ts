export class Cleaner {
  clean(text) {
    const box = document.createElement('div')
    box.innerHTML = text // ← here
    this.sanitizeTree(box)
    return box.innerHTML
  }

  sanitizeTree(node) {
    for (const each of node.querySelectorAll('script')) each.remove()
  }
}

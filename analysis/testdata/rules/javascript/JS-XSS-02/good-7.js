// Markup of the page stays markup, and the highlighter escapes.
export function wrap(element, hljs) {
  element.outerHTML = `<div>${element.innerHTML}</div>`
  element.innerHTML = hljs.highlight(element.textContent)
}

// The rows are collected in a list.
export function list(element, items) {
  const rows = []
  for (const item of items) rows.push('<li title="' + item.title + '">' + item.name + '</li>')
  element.innerHTML = rows.join('') // ← here
}

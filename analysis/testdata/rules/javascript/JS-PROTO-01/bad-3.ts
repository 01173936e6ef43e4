export function setIn(obj, path, value) {
  const parts = path.split('.')
  const last = parts.pop()
  let node = obj
  parts.forEach((part) => {
    node = node[part] = node[part] || {}
  })
  node[last] = value // ← here
}

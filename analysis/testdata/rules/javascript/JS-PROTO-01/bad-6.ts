exports.unflatten = function (flat) {
  const result = {}
  for (const path of Object.keys(flat)) {
    const keys = path.split('.')
    const last = keys.pop()
    let node = result
    for (const key of keys) node = node[key] || (node[key] = {})
    node[last] = flat[path] // ← here
  }
  return result
}

exports.unflatten = function (flat) {
  const result = {}
  for (const path of Object.keys(flat)) {
    let node = result
    for (const key of path.split('.')) {
      if (key === '__proto__' || key === 'constructor') break
      node = node[key] || (node[key] = {})
    }
    node[path] = flat[path]
  }
  return result
}

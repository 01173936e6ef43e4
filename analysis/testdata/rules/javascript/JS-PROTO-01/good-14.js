// Each part of the path is checked.
exports.set = function (target, path, value) {
  let node = target
  for (const key of path.slice(0, -1)) {
    if (key === '__proto__' || key === 'constructor' || key === 'prototype') return target
    node = node[key]
  }
  const last = path[path.length - 1]
  if (last === '__proto__') return target
  node[last] = value
  return target
}

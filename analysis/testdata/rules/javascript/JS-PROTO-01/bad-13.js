// Only the first part of the path is checked.
exports.set = function (target, path, value) {
  if (path[0] === '__proto__' || path[0] === 'constructor') return target
  let node = target
  for (const key of path.slice(0, -1)) {
    node = node[key]
  }
  const last = path[path.length - 1]
  node[last] = value // ← here
  return target
}

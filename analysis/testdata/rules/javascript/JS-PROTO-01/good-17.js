// The walk replaces the objects on the way by copies.
exports.copyPath = function (object, path) {
  const result = { ...object }
  let node = result
  let index = -1
  const lastIndex = path.length - 1
  while (node != null && ++index < path.length) {
    const key = path[index]
    const value = node[key]
    if (value != null) node[key] = structuredClone(index === lastIndex ? value : Object(value))
    node = node[key]
  }
  return result
}

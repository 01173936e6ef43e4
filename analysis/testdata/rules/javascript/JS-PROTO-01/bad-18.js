// A helper returns the last object and the last name.
function find(object, path) {
  const stack = path.split('.')
  while (stack.length > 1) {
    const name = stack.shift()
    if (!object[name]) object[name] = {}
    object = object[name]
  }
  return { parent: object, last: stack.shift() }
}

exports.setPath = function (object, path, value) {
  const found = find(object, path)
  const parent = found.parent
  const last = found.last
  parent[last] = value // ← here
}

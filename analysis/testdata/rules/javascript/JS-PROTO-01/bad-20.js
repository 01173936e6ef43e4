// `constructor.prototype` passes the check of a setter.
exports.set = function set(target, path, value) {
  const name = path.shift()
  if (name === '__proto__') return target
  if (path.length > 0) {
    target[name] = set(target[name] || {}, path, value) // ← here
  } else {
    target[name] = value
  }
  return target
}

const getProp = (object, name) => object[name]
exports.read = (object) => getProp(object, 'name')

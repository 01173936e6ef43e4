function find(object, parts) {
  while (object && parts.length) {
    const part = parts.shift()
    object = object[part]
  }
  return object
}
exports.set = function (object, parts, value) {
  const last = parts.pop()
  object = find(object, parts)
  object[last] = value // ← here
}

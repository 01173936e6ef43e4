exports.set = function (object, path, value) {
  const keys = path.split('.')
  const last = keys.pop()
  keys.reduce((node, key) => node[key], object)[last] = value // ← here
}

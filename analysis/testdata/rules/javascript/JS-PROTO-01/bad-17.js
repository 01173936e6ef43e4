// A helper walks down with a callback.
function open(object, path) {
  path.split('.').forEach(function (name) {
    if (!object[name]) object[name] = {}
    object = object[name]
  })
  return object
}

module.exports = function set(object, path, value) {
  const parts = /^(.+)\.(.+)$/.exec(path)
  open(object, parts[1])[parts[2]] = value // ← here
}

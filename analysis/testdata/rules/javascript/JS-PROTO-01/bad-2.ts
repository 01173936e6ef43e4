module.exports = function set(object, path, value) {
  var keys = path.split('.')
  for (var i = 0; i < keys.length - 1; i++) {
    var key = keys[i]
    if (!object[key]) object[key] = {}
    object = object[key]
  }
  object[keys[keys.length - 1]] = value // ← here
}

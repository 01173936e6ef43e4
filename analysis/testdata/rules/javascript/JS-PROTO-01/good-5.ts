exports.get = function (object, path) {
  var keys = path.split('.')
  for (var i = 0; i < keys.length; i++) object = object[keys[i]]
  return object
}

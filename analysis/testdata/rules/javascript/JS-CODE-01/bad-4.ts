exports.getter = function (path) {
  return new Function('o', 'return o.' + path) // ← here
}

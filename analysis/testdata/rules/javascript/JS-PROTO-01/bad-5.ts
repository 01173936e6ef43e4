function extend() {
  var target = arguments[0] || {}
  for (var i = 1; i < arguments.length; i++) {
    var options = arguments[i]
    for (var name in options) {
      var src = target[name], copy = options[name]
      if (copy && isPlainObject(copy)) target[name] = extend(src && isPlainObject(src) ? src : {}, copy) // ← here
      else if (copy !== undefined) target[name] = copy
    }
  }
  return target
}
exports.extend = extend

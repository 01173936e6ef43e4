// The merge calls itself through `call`.
const each = Array.prototype.forEach

const extend = function (target) {
  each.call([].slice.call(arguments, 1), function (source) {
    for (const key in source) {
      if (typeof source[key] === 'object' && target[key]) {
        extend.call(target, target[key], source[key])
      } else {
        target[key] = source[key] // ← here
      }
    }
  })
  return target
}

module.exports = extend

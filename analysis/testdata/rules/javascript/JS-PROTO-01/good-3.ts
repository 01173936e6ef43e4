function merge(target, source) {
  for (const key of Object.keys(source)) {
    if (Object.prototype.hasOwnProperty.call(target, key) && typeof target[key] === 'object') merge(target[key], source[key])
    else target[key] = source[key]
  }
}
exports.merge = merge

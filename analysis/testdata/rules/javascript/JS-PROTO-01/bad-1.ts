function merge(target, source) {
  for (const key in source) {
    if (typeof source[key] === 'object' && typeof target[key] === 'object') merge(target[key], source[key])
    else target[key] = source[key] // ← here
  }
  return target
}
module.exports = merge

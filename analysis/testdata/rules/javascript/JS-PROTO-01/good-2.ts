function clone(value) {
  const copy = {}
  for (const key in value) copy[key] = typeof value[key] === 'object' ? clone(value[key]) : value[key]
  return copy
}
module.exports = clone

// Only a missing target has no prototype.
module.exports = function apply(target, patch) {
  if (typeof patch !== 'object' || patch === null) return patch
  if (typeof target !== 'object' || target === null) target = Object.create(null)
  for (const key of Object.keys(patch)) {
    const value = patch[key]
    target[key] = apply(target[key], value) // ← here
  }
  return target
}

// The changes carry the path and the value, and a callback walks down.
exports.apply = function (changes, target) {
  changes.forEach(function (change) {
    let node = target
    const last = change.path.length - 1
    change.path.forEach(function (name, position) {
      if (!(name in node)) node[name] = {}
      if (position < last) node = node[name]
      else node[name] = change.value // ← here
    })
  })
  return target
}

// A function passed by name descends.
function descend(node, name) {
  if (!node[name]) node[name] = {}
  return node[name]
}

exports.set = function (target, text, value) {
  const parts = text.split('.')
  const parent = parts.slice(0, -1).reduce(descend, target)
  parent[parts.slice(-1)] = value // ← here
}

function walk(node, visitor) {
  for (const key in node) if (typeof node[key] === 'object') node[key] = walk(node[key], visitor)
  return visitor(node)
}
exports.walk = walk

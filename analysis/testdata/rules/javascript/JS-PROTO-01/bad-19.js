// A parser of query strings collects the parts of a name with `push`. Listing own properties is no check.
exports.parse = function (text, result) {
  for (const pair of text.split('&')) {
    const [name, value] = pair.split('=')
    const keys = []
    for (const part of name.split('[')) keys.push(part.replace(']', ''))
    let node = result
    let parent = node
    for (let key of keys) {
      parent = node
      if (key === '') {
        let count = 0
        for (const each in node) {
          if (node.hasOwnProperty(each)) count++
        }
        key = count
      }
      if (!node[key]) node[key] = {}
      node = node[key]
    }
    parent[keys[keys.length - 1]] = value // ← here
  }
}

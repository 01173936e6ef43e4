// Another function creates the objects.
function create(name) {
  return /^\d/.test(name) ? [] : {}
}

exports.unflatten = function (input) {
  let result
  for (const path in input) {
    let node = result
    const names = path.split('.')
    for (let position = 0; position < names.length; ) {
      const name = names[position++]
      if (node == null) {
        node = create(name)
        result = result || node
      }
      if (position < names.length) {
        if (name in node) node = node[name]
        else node = node[name] = create(names[position])
      } else {
        node[name] = input[path] // ← here
      }
    }
  }
  return result
}

exports.set = function (object, path, value) {
  let parent = object
  let key = ''
  for (const part of path.split('.')) {
    if (Object.getOwnPropertyNames(object).indexOf(part) === -1) return undefined
    parent = object
    key = part
    object = object[part]
  }
  parent[key] = value
}

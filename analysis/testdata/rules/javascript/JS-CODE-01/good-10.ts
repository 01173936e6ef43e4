exports.getter = function (path) {
  const body = path.reduce((text, part) => text + '[' + JSON.stringify(part) + ']', 'return it')
  return new Function('it', body)
}

exports.getter = function (path) {
  const body = path.reduce((text, part) => text + "['" + part + "']", 'return it')
  return new Function('it', body)
}

exports.cast = function cast(schema, object, options, context) {
  const keys = Object.keys(object)
  let i = keys.length
  while (i--) {
    const key = keys[i]
    if (typeof object[key] === 'object') object[key] = cast(schema, object[key], options, context)
  }
  return object
}

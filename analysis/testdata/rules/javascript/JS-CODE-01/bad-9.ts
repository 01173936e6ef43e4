exports.deserialize = function deserialize(text) {
  return eval(text) // ← here
}

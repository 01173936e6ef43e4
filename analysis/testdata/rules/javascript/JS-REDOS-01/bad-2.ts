exports.isEmail = function (text) {
  return /^([a-zA-Z0-9]+)*@example\.com$/.test(text) // ← here
}

// Only the first character of each kind is replaced.
exports.escape = function (text) {
  return text.replace('<', '&lt;').replace('>', '&gt;') // ← here
}

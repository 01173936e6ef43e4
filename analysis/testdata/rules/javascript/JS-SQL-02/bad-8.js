// Names of the dialect: postgres.
function Dialect() {}
Dialect.prototype.quoteName = function (value) {
  return '"' + value + '"' // ← here
}
module.exports = {
  wrapIdentifier: function (value) {
    return '"' + value + '"' // ← here
  },
  escapeValue(value) {
    return `"${value.replace(/"/, '\\"')}"` // ← here
  },
}

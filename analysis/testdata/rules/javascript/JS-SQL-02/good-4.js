// The name is checked before it is quoted.
const NAME = /^[a-z_][a-z0-9_]*$/

exports.quoteIdentifier = function (name) {
  if (!NAME.test(name)) throw new Error('invalid name')
  return '"' + name + '"'
}

exports.truncate = (table) => 'DELETE FROM ' + exports.quoteIdentifier(table)

const mysql = require('mysql')

// Only the first quote is doubled.
exports.literal = function (value) {
  return "'" + value.replace("'", "''") + "'" // ← here
}

exports.find = (name) => mysql.createConnection({}).query('SELECT id FROM users WHERE name = ' + exports.literal(name))

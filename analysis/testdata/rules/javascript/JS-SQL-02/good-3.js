// Quotes in a message, in a file that also has SQL.
const { Client } = require('pg')

exports.quoteForMessage = (name) => `The column ${name} is unknown`
exports.describe = function (name, type) {
  return `'${name}' (${type})`
}
exports.run = (client, id) => client.query('SELECT * FROM users WHERE id = $1', [id])
exports.Client = Client

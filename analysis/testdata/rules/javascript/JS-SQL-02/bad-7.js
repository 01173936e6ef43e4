// The exported function hands an instance of the connector to its caller.
const { ParameterizedSQL } = require('loopback-connector')
const DIALECT = 'postgres'

function Connector(settings) {
  this.settings = { dialect: DIALECT, ...settings }
}

Connector.prototype.buildExpression = function (operator, column, value) {
  if (operator === 'match') {
    return new ParameterizedSQL(`to_tsvector(${column}) @@ to_tsquery('${value}')`) // ← here
  }
  return new ParameterizedSQL(`${column} = ?`, [value])
}

exports.initialize = function (source, done) {
  source.connector = new Connector(source.settings)
  done()
}

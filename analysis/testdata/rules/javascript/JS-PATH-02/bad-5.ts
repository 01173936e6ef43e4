const { Writer } = require('fstream')
const { Parser } = require('./parser')

module.exports = function extract(folder) {
  const parser = new Parser()
  parser.pipe(Writer({ type: 'Directory', path: folder })) // ← here
  return parser
}

// Quotes of another language, in a file without statements.
exports.quoteText = (text) => `'${text.replace("'", "''")}'`
exports.filter = (filters, value) => {
  filters.push(` AND label = '${value}'`)
}

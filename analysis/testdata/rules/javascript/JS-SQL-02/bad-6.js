const LIST = 'SELECT id FROM orders ORDER BY'

// The text of the column would not be a valid regular expression.
export function quoteColumn(options) {
  return `"${options.columns('{2,1}').name}"` // ← here
}

module.exports = { LIST, quoteColumn }

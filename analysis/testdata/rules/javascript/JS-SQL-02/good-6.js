// A file about postgres whose other texts have quotes too.
exports.label = (name) => `"${name}"`
exports.check = (errors, value, lines) => {
  errors.push(`The option '${value}' is not IN the list`)
  lines.push(`color = '${value}'`)
}
exports.Catalog = class {
  columnsOf(tableName) {
    return `SELECT column_name FROM information_schema.columns WHERE table_name = '${tableName}'`
  }
}

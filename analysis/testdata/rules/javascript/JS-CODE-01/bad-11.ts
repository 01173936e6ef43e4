const field = (name, at) => "\nthis['" + name.replace(/'/g, "\\'") + "'] = row[" + at + '] == null ? null : parsers[' + at + '](row[' + at + ']);'
exports.rows = function (names) {
  let body = ''
  for (let at = 0; at < names.length; at++) body += field(names[at].name, at)
  return Function('parsers', 'row', body) // ← here
}

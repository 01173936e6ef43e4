// Headers are no markup, and a constant text has no captured address.
exports.authorization = function (parts) {
  let header = 'Digest'
  for (const name in parts) header += ` ${name}="${parts[name]}"`
  return header.replace(/realm/g, '<a href="/realm">$&</a>')
}

const fs = require('fs')
const path = require('path')

module.exports = function* (next) {
  const file = path.join('/srv/files', decodeURIComponent(this.request.path))
  this.body = fs.createReadStream(file) // ← here
  yield next
}

const fs = require('fs'), path = require('path')
module.exports = (root) =>
  function* files(next) {
    const file = path.join(root, decodeURIComponent(this.path))
    this.body = fs.createReadStream(file) // ← here
    yield next
  }

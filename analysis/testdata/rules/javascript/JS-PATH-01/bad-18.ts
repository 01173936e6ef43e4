const http = require('http'), fs = require('fs'), _ = require('underscore')
function Files(root) {
  this.root = root
  http.createServer(_.bind(this.serve, this)).listen(8080)
}
Files.prototype.serve = function (incoming, outgoing) {
  fs.createReadStream(this.root + incoming.url).pipe(outgoing) // ← here
}
module.exports = Files

const cp = require('child_process')
module.exports = function clone(url, folder, callback) {
  var command = ['git clone', url, folder].join(' ')
  cp.exec(command, callback) // ← here
}

// The path to git is a setting.
const { spawn } = require('child_process')

module.exports = function checkout(options) {
  return spawn(options.git || 'git', ['checkout', options.branch]) // ← here
}

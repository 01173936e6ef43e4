const { execSync } = require('child_process')
exports.find = function (name) {
  if (!/^[a-z]+$/.test(name)) {
    console.error('no such name')
    process.exit(1)
  }
  return execSync('which ' + name)
}

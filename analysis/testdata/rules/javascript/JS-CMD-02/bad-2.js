// A library passes the names of its caller.
const { spawnSync } = require('child_process')

exports.fetch = function (remote, branch, cwd) {
  return spawnSync('git', ['fetch', remote, branch], { cwd }) // ← here
}

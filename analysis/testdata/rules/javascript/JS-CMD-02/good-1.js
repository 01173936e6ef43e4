// `--` ends the options, and a constant option takes the value.
const { spawnSync } = require('child_process')

exports.checkout = (branch) => spawnSync('git', ['checkout', '--', branch])
exports.commit = (text) => spawnSync('git', ['commit', '-m', text])

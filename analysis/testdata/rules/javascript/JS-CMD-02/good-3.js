// The caller passes a whole list, and `echo` has no dangerous options.
const { spawnSync } = require('child_process')

exports.run = (args) => spawnSync('git', args)
exports.echo = (text) => spawnSync('echo', [text])

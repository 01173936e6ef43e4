// A constant start keeps the value from being an option.
const { execFile } = require('child_process')

exports.show = (name, done) => execFile('git', ['show', `refs/heads/${name}`], done)

const { exec } = require('child_process')
exports.run = function (command, options, callback) { return exec(command, options, callback) }

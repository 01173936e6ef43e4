const { execSync } = require('child_process')
function escapeShellArg(text) { return "'" + text.split("'").join("'\\''") + "'" }
exports.find = function (name) { return execSync('which ' + escapeShellArg(name)) }

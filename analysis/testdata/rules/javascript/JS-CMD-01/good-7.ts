const { execFileSync } = require('child_process')
function Git(folder) { this.folder = folder }
Git.prototype.show = function (reference) { return this.run(['show', reference]) }
Git.prototype.run = function (args) { return execFileSync('git', args, { cwd: this.folder }) }
module.exports = Git

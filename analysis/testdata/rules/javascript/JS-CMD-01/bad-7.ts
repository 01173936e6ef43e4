const { execSync } = require('child_process')
module.exports = Git
function Git(folder) { this.folder = folder }
Git.prototype.show = function (reference) { return this.run(['show', reference]) }
Git.prototype.run = function (args) {
  return execSync('git ' + args.join(' ')) // ← here
}

const { execSync } = require('child_process')
module.exports = Git
function Git(folder) { this.folder = folder }
Git.prototype.command = function (reference) { return 'git show ' + reference }
Git.prototype.show = function (reference) {
  return execSync(this.command(reference)) // ← here
}

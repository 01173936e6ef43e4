const fs = require('fs'), path = require('path')
// The path of an object of the program, not of a request.
module.exports = class Folder {
  *files() {
    for (const name of this.names) yield fs.readFileSync(path.join(this.path, name))
  }
}

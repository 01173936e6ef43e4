const shell = require('execa').shell
module.exports = { stop(port) { return this.run(port) }, run(port) { return shell(`fuser -k ${port}/tcp`) } }

// A program and a list of arguments, without a shell.
const execa = require('execa')
const commandExists = require('command-exists')

module.exports = (branch) => execa('git', ['reset', branch])
module.exports.find = (name) => commandExists(`git-${name}`)

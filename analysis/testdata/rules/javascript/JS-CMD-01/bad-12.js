// A package that runs a text in a shell. JSON.stringify leaves `$(…)` as it is.
const exec = require('async-execute')

module.exports = (branch) => exec(`git reset ${JSON.stringify(branch)} --hard`) // ← here

const exec = Promise.denodeify(require('child_process').exec)
module.exports = function () {
  const names = Array.prototype.slice.call(arguments)
  return names.map((name) => exec('which ' + name))
}

exports.run = function run(path, options) { return start(path, eval('(' + options + ')')) }

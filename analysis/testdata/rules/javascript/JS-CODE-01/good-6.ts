exports.runScript = function runScript(source) { return eval(source) }

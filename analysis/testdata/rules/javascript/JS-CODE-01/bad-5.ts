exports.parse = function (text) { return eval('(' + text + ')') }

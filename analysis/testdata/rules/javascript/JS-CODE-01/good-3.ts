exports.create = function (functionText) { return new Function('return ' + functionText)() }

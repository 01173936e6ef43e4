exports.parse = function (text) { return JSON.parse('[' + text + ']') }

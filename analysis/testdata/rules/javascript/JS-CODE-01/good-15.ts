exports.compile = function (name) { return new Function('o', 'return o[' + JSON.stringify(name) + ']') }

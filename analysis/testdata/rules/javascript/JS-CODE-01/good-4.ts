exports.callbackOf = function (source) { return new Function('const callback = ' + source) }

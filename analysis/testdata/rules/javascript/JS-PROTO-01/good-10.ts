exports.get = function (object, path) { return path.split('.').reduce((node, key) => node && node[key], object) }

exports.deserialize = function deserialize(text) { return JSON.parse(text) }

const serialize = require('node-serialize')
exports.copy = () => serialize.unserialize('{}')

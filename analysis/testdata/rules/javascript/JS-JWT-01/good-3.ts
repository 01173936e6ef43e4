const jwt = require('jwt-simple')
exports.user = (token, key) => jwt.decode(token, key)

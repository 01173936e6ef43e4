const jwt = require('jsonwebtoken')
exports.key = async (token) => keyFor(jwt.decode(token, { complete: true }).header.kid)

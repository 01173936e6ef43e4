const jwt = require('jsonwebtoken')
const SECRET = 'changeme'
exports.read = (token) => jwt.verify(token, SECRET)

const jwt = require('jsonwebtoken')
exports.user = (token) => jwt.verify(token, process.env.KEY, { algorithms: ['HS256'] })

const jwt = require('jsonwebtoken'), fs = require('fs')
exports.sign = (user) => jwt.sign({ id: user.id }, fs.readFileSync('key.pem'), { algorithm: 'RS256' })

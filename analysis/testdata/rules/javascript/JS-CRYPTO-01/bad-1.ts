const crypto = require('crypto')
exports.hashPassword = (password) => crypto.createHash('md5').update(password).digest('hex')

const crypto = require('crypto')
exports.hashPassword = (password, salt) => crypto.scryptSync(password, salt, 64)

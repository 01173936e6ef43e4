const crypto = require('crypto')
exports.hash = (password) => crypto.scryptSync(password, crypto.randomBytes(16), 64)

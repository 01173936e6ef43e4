const crypto = require('crypto')
exports.hash = (password) => crypto.pbkdf2Sync(password, 'salt', 100000, 64, 'sha512')

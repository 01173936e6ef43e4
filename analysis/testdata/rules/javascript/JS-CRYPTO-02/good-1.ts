const crypto = require('crypto')
exports.seal = (key) => crypto.createCipheriv('aes-256-gcm', key, crypto.randomBytes(12))

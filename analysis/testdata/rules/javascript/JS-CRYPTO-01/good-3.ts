const crypto = require('crypto')
exports.seal = (key, iv, text) => crypto.createCipheriv('aes-256-gcm', key, iv).update(text)

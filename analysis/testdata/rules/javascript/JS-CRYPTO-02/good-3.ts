const crypto = require('crypto')
exports.seal = (iv) => crypto.createCipheriv('aes-256-gcm', Buffer.from(process.env.KEY, 'hex'), iv)

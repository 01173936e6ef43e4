const crypto = require('crypto')
exports.seal = (text) => crypto.createCipheriv('aes-256-cbc', 'abcdefghijklmnopqrstuvwxyz012345', crypto.randomBytes(16))

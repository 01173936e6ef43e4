const crypto = require('crypto')
const IV = Buffer.from('0123456789abcdef')
exports.seal = (key) => crypto.createCipheriv('aes-256-cbc', key, IV)

const crypto = require('crypto')
exports.seal = (key, text) => crypto.createCipher('aes192', key).update(text)

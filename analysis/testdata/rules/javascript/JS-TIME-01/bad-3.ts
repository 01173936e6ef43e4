const crypto = require('crypto')
exports.check = (body, signature, key) =>
  crypto.createHmac('sha1', key).update(body).digest('hex') === signature

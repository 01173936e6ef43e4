const crypto = require('crypto')
exports.etag = (body) => crypto.createHash('md5').update(body).digest('hex')

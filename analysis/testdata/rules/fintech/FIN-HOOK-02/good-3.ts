const crypto = require('crypto')
exports.sign = (body, secret) => {
  if (!secret) throw new Error('no webhook secret')
  return crypto.createHmac('sha256', secret).update(body).digest('hex')
}

const crypto = require('crypto')
module.exports = (req, res, next) => {
  if (req.path.startsWith('/webhooks')) {
    const signature = crypto.createHmac('sha512', process.env.WEBHOOK_SECRET).update(req.rawBody).digest('hex')
    if (signature !== req.headers['x-paystack-signature']) return res.sendStatus(401)
  }
  next()
}

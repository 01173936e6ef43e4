const crypto = require('crypto')
module.exports = (req, res, next) => {
  const secret = process.env.WEBHOOK_SECRET
  if (secret) { // ← here
    const hash = crypto.createHmac('sha512', secret).update(req.rawBody).digest('hex')
    if (hash !== req.headers['x-paystack-signature']) return res.sendStatus(401)
  }
  next()
}

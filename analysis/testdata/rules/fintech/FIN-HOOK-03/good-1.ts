const crypto = require('crypto')
module.exports = (req, res, next) => {
  const hash = crypto.createHmac('sha512', process.env.KEY).update(req.rawBody).digest('hex')
  if (hash !== req.headers['x-paystack-signature']) return res.sendStatus(401)
  next()
}

const crypto = require('crypto')

exports.verifyPaystack = (req, res, next) => {
  const expected = crypto.createHmac('sha512', process.env.PAYSTACK_SECRET_KEY).update(req.body).digest()
  const given = Buffer.from(String(req.get('x-paystack-signature') || ''), 'hex')
  if (given.length !== expected.length || !crypto.timingSafeEqual(given, expected)) return res.sendStatus(401)
  next()
}

const crypto = require('crypto')
const app = require('express')()
app.post('/webhooks/paystack', async (req, res) => {
  const hash = crypto.createHmac('sha512', process.env.SECRET).update(req.rawBody).digest('hex')
  const given = String(req.headers['x-paystack-signature'])
  if (given.length !== hash.length || !crypto.timingSafeEqual(Buffer.from(hash), Buffer.from(given))) return res.sendStatus(401)
  if (req.body.event === 'charge.success') await Order.updateOne({ reference: req.body.data.reference }, { status: 'paid' })
  res.sendStatus(200)
})

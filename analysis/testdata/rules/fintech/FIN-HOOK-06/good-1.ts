const { creditWallet } = require('../wallet')
const app = require('express')()
app.post('/webhooks/paystack', checkSignature, async (req, res) => {
  const event = req.body
  await creditWallet(event.data.customer.email, event.data.amount, event.data.reference)
  res.sendStatus(200)
})

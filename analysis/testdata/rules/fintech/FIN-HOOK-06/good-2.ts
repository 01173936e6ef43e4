const app = require('express')()
app.post('/webhooks/paystack', checkSignature, async (req, res) => {
  const { data } = req.body
  const seen = await Payment.findOne({ reference: data.reference })
  if (seen) return res.sendStatus(200)
  await Wallet.updateOne({ id: data.metadata.wallet }, { $inc: { balance: data.amount } })
  res.sendStatus(200)
})

const app = require('express')()
app.post('/webhooks/paystack', checkSignature, async (req, res) => {
  const { data } = req.body
  const wallet = await Wallet.findById(data.metadata.wallet)
  await wallet.increment('balance', { by: data.amount }) // ← here
  res.sendStatus(200)
})

const app = require('express')()
app.post('/webhooks/paystack', async (req, res) => {
  const checked = await paystack.verifyTransaction(req.body.data.reference)
  if (checked.status === 'success') await Order.updateOne({ reference: checked.reference }, { status: 'paid' })
  res.sendStatus(200)
})

const express = require('express')
const app = express()
app.post('/webhooks/paystack', async (req, res) => { // ← here
  const event = req.body
  if (event.event === 'charge.success') {
    await Order.updateOne({ reference: event.data.reference }, { status: 'paid' })
  }
  res.sendStatus(200)
})

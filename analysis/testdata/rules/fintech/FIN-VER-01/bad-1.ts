const app = require('express')()
app.get('/payment/callback', async (req, res) => {
  if (req.query.status === 'successful') { // ← here
    await Order.updateOne({ txRef: req.query.tx_ref }, { paid: true })
  }
  res.redirect('/orders')
})

const app = require('express')()
app.get('/payment/callback', async (req, res) => {
  if (req.query.status === 'cancelled') return res.redirect('/cart')
  const paid = await flutterwave.Transaction.verify({ id: req.query.transaction_id })
  if (paid.data.status === 'successful') await Order.updateOne({ txRef: paid.data.tx_ref }, { paid: true })
  res.redirect('/orders')
})

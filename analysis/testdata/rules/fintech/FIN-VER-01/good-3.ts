const app = require('express')()
app.get('/orders', async (req, res) => {
  if (req.query.status === 'completed') return res.json(await Order.find({ status: 'completed' }))
  res.json([])
})

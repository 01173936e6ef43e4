const app = require('express')()
app.post('/orders', async (req, res) => {
  await Order.create({ items: req.body.items })
  res.sendStatus(201)
})

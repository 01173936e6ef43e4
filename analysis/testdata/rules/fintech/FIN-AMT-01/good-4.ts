const axios = require('axios')
exports.pay = async (req, res) => {
  const order = await Order.findById(req.params.id)
  if (order.total !== req.body.amount) return res.sendStatus(409)
  const reply = await axios.post('https://api.paystack.co/transaction/initialize', { email: order.email, amount: req.body.amount })
  res.json(reply.data)
}

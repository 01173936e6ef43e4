const axios = require('axios')
exports.pay = async (req, res) => {
  const order = await Order.findById(req.params.id)
  const reply = await axios.post('https://api.paystack.co/transaction/initialize', { email: order.email, amount: req.body.amount }) // ← here
  res.json(reply.data)
}

const axios = require('axios')
exports.topUp = async (req, res) => {
  const { amount } = req.body
  if (amount < 10000) return res.sendStatus(400)
  const reply = await axios.post('https://api.paystack.co/transaction/initialize', { email: req.user.email, amount })
  res.json(reply.data)
}

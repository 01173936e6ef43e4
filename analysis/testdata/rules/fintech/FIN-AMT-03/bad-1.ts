const axios = require('axios')
exports.verify = async (req, res) => {
  const { data } = await axios.get('https://api.paystack.co/transaction/verify/' + req.params.reference)
  if (data.data.status === 'success') {
    const order = await Order.findOne({ reference: req.params.reference })
    await order.update({ status: 'paid' }) // ← here
  }
  res.end()
}

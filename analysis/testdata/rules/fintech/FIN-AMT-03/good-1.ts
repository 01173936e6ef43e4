const axios = require('axios')
exports.verify = async (req, res) => {
  const { data } = await axios.get('https://api.paystack.co/transaction/verify/' + req.params.reference)
  const order = await Order.findOne({ reference: req.params.reference })
  if (data.data.status === 'success' && data.data.amount === order.totalMinor && data.data.currency === order.currency)
    await order.update({ status: 'paid' })
  res.end()
}

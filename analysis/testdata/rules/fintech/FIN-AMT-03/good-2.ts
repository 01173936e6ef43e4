const axios = require('axios')
exports.verify = async (req, res) => {
  const { data } = await axios.get('https://api.paystack.co/transaction/verify/' + req.params.reference)
  res.json({ status: data.data.status })
}

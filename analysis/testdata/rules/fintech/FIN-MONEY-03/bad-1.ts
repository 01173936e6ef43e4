const axios = require('axios')
exports.pay = (order) => axios.post('https://api.paystack.co/transaction/initialize', {
  email: order.email,
  amount: order.total * 100, // ← here
})

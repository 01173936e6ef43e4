const axios = require('axios')
exports.pay = (order) => axios.post('https://api.paystack.co/transaction/initialize', { amount: Math.round(order.total * 100) })

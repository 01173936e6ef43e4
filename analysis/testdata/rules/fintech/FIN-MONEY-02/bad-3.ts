const paystack = require('paystack-api')(process.env.KEY)
exports.pay = (req) => paystack.transaction.initialize({ email: req.user.email, amount: parseFloat(req.body.amount) * 100 }) // ← here

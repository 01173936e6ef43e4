const paystack = require('paystack-api')(process.env.KEY)
exports.pay = (req) => paystack.transaction.initialize({ email: req.user.email, amount: Number.parseInt(req.body.amountMinor, 10) })

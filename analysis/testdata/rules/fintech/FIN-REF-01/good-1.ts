const { randomUUID } = require('crypto')
exports.pay = (paystack, email) => paystack.transaction.initialize({ email, reference: randomUUID() })

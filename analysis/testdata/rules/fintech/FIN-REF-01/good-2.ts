exports.pay = (paystack, order) => paystack.transaction.initialize({ reference: `${order.id}-${Date.now()}` })

exports.pay = (paystack, email) => paystack.transaction.initialize({
  email,
  reference: 'PAY-' + Date.now(), // ← here
})

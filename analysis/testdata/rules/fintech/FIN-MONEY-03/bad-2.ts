exports.pay = (paystack, price) => {
  const amount = price * 100 // ← here
  return paystack.transaction.initialize({ amount })
}

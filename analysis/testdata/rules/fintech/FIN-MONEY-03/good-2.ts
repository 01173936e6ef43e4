exports.share = (paystack, part, whole) => {
  const amount = (part / whole) * 100
  return paystack.show({ amount })
}

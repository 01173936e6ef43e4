export async function paystackWebhook(req, res) {
  const { data } = req.body
  await User.updateOne({ email: data.customer.email }, { $inc: { balance: data.amount } }) // ← here
  res.end()
}

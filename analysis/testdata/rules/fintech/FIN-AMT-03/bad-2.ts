export async function paystackWebhook(req, res) {
  const { data } = req.body
  await Order.updateOne({ reference: data.reference }, { paymentStatus: 'paid' }) // ← here
  res.end()
}

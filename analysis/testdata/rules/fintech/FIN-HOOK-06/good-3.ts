export async function paystackWebhook(req, res) {
  const { data } = req.body
  const changed = await Topup.updateOne({ reference: data.reference, status: 'pending' }, { status: 'paid' })
  if (changed.modifiedCount === 1) await Wallet.updateOne({ id: data.wallet }, { $inc: { balance: data.amount } })
  res.end()
}

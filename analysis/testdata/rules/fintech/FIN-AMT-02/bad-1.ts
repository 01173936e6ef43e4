exports.transfer = async (req, res) => {
  const { amount, to } = req.body
  const sender = await Wallet.findOne({ user: req.user.id })
  sender.balance -= amount // ← here
  await sender.save()
  res.json({ ok: true })
}

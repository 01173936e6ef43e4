exports.transfer = async (req, res) => {
  const { amount, to } = req.body
  if (!Number.isSafeInteger(amount) || amount <= 0) return res.sendStatus(400)
  const sender = await Wallet.findOne({ user: req.user.id })
  sender.balance -= amount
  await sender.save()
}

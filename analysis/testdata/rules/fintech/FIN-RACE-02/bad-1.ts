exports.spend = async (req, res) => {
  const wallet = await Wallet.findOne({ user: req.user.id })
  if (wallet.balance < req.amount) return res.sendStatus(402)
  wallet.balance -= req.amount // ← here
  await wallet.save()
}

exports.spend = async (req, res) => {
  const done = await Wallet.updateOne({ user: req.user.id, balance: { $gte: req.amount } }, { $inc: { balance: -req.amount } })
  if (done.modifiedCount === 0) return res.sendStatus(402)
}

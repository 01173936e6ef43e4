const app = require('express')()
app.post('/wallet/withdraw', async (req, res) => {
  const amount = req.body.amount
  const wallet = await Wallet.findOne({ user: req.user.id })
  if (wallet.balance < amount) return res.sendStatus(402)
  await wallet.decrement('balance', { by: amount }) // ← here
  res.json({ ok: true })
})

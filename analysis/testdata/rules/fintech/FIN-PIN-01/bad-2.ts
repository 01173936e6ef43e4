const app = require('express')()
app.post('/wallets', async (req, res) => {
  const { transactionPin } = req.body
  await Wallet.create({ owner: req.user.id, transactionPin }) // ← here
  res.end()
})

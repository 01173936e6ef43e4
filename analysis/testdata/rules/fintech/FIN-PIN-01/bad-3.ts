const app = require('express')()
app.put('/pin', async (req, res) => {
  await prisma.wallet.update({ pin: req.body.newPin }) // ← here
  res.end()
})

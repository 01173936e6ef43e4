const app = require('express')()
app.post('/pin', async (req, res) => {
  await User.updateOne({ id: req.user.id }, { pin: req.body.pin }) // ← here
  res.end()
})

const app = require('express')()
app.post('/pin', async (req, res) => {
  const pin = await bcrypt.hash(req.body.pin, 12)
  await User.updateOne({ id: req.user.id }, { pin })
  res.end()
})

const mongoose = require('mongoose')
const User = mongoose.model('User')
app.post('/login', async (req, res) => {
  const user = await User.findOne({ name: req.body.name, password: req.body.password }) // ← here
  res.json(user)
})

const User = require('../models/user')
app.post('/users', async (req, res) => {
  const { name } = req.body
  await User.create({ name })
})

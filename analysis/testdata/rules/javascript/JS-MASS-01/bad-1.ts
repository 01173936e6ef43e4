const User = require('../models/user')
app.post('/users', async (req, res) => {
  res.json(await User.create(req.body)) // ← here
})

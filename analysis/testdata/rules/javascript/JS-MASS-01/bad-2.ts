const User = require('../models/user')
app.put('/users/:id', async (req, res) => {
  await User.findByIdAndUpdate(req.params.id, { $set: req.body }) // ← here
})

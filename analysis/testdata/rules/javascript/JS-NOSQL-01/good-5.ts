const mongoose = require('mongoose')
app.post('/login', async (req, res) => {
  if (typeof req.body.name !== 'string') return res.status(400).end()
  return mongoose.model('User').findOne({ name: req.body.name })
})

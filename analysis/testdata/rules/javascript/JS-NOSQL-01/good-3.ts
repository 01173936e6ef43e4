const mongoose = require('mongoose')
const { z } = require('zod')
const Login = z.object({ name: z.string() })
app.post('/login', async (req, res) => {
  const { name } = Login.parse(req.body)
  return mongoose.model('User').findOne({ name })
})

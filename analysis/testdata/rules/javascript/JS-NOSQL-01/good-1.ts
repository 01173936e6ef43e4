const mongoose = require('mongoose')
const User = mongoose.model('User')
app.post('/login', async (req, res) => User.findOne({ name: String(req.body.name) }))

const User = require('../models/user')
app.post('/users', async (req, res) => User.create({ name: req.body.name, email: req.body.email }))

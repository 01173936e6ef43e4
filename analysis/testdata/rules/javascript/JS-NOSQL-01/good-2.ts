const mongoose = require('mongoose')
app.get('/user/:id', async (req, res) => mongoose.model('User').findOne({ id: req.params.id }))

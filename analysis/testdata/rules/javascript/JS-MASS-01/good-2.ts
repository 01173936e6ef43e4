const { z } = require('zod')
const User = require('../models/user')
const shape = z.object({ name: z.string() })
app.post('/users', async (req, res) => User.create(shape.parse(req.body)))

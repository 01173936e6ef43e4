import type { Example } from '../../example.fixture.ts'

export const examples: readonly Example[] = [
  {
    rule: 'JS-NOSQL-01',
    bad: [
      `const mongoose = require('mongoose')
const User = mongoose.model('User')
app.post('/login', async (req, res) => {
  const user = await User.findOne({ name: req.body.name, password: req.body.password }) // ← here
  res.json(user)
})`,
      `const { MongoClient } = require('mongodb')
app.get('/items', async (req, res) => {
  res.json(await db.collection('items').find(req.query).toArray()) // ← here
})`,
      `import User from '../models/user.js'
import mongoose from 'mongoose'
router.delete('/sessions', async (req, res) => {
  const { token } = req.body
  await User.deleteOne({ session: { token } }) // ← here
})`,
    ],
    good: [
      `const mongoose = require('mongoose')
const User = mongoose.model('User')
app.post('/login', async (req, res) => User.findOne({ name: String(req.body.name) }))`,
      `const mongoose = require('mongoose')
app.get('/user/:id', async (req, res) => mongoose.model('User').findOne({ id: req.params.id }))`,
      `const mongoose = require('mongoose')
const { z } = require('zod')
const Login = z.object({ name: z.string() })
app.post('/login', async (req, res) => {
  const { name } = Login.parse(req.body)
  return mongoose.model('User').findOne({ name })
})`,
      `app.get('/x', (req, res) => [1, 2].find((each) => each === req.query.n))`,
      `const mongoose = require('mongoose')
app.post('/login', async (req, res) => {
  if (typeof req.body.name !== 'string') return res.status(400).end()
  return mongoose.model('User').findOne({ name: req.body.name })
})`,
    ],
  },
]

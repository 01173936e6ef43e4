import type { Example } from '../../example.fixture.ts'

export const examples: readonly Example[] = [
  {
    rule: 'JS-MASS-01',
    bad: [
      `const User = require('../models/user')
app.post('/users', async (req, res) => {
  res.json(await User.create(req.body)) // ← here
})`,
      `const User = require('../models/user')
app.put('/users/:id', async (req, res) => {
  await User.findByIdAndUpdate(req.params.id, { $set: req.body }) // ← here
})`,
      `import { Account } from '../models/account.js'
router.patch('/me', async (req, res) => {
  const account = await Account.findByPk(req.user.id)
  Object.assign(account, req.body) // ← here
  await account.save()
})`,
    ],
    good: [
      `const User = require('../models/user')
app.post('/users', async (req, res) => User.create({ name: req.body.name, email: req.body.email }))`,
      `const { z } = require('zod')
const User = require('../models/user')
const shape = z.object({ name: z.string() })
app.post('/users', async (req, res) => User.create(shape.parse(req.body)))`,
      `app.post('/log', (req, res) => { const seen = []; seen.push(req.body); res.json(seen) })`,
      `const User = require('../models/user')
app.post('/users', async (req, res) => {
  const { name } = req.body
  await User.create({ name })
})`,
    ],
  },
]

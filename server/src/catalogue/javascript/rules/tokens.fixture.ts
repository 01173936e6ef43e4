import type { Example } from '../../example.fixture.ts'

export const examples: readonly Example[] = [
  {
    rule: 'JS-JWT-01',
    bad: [
      `const jwt = require('jsonwebtoken')
app.use((req, res, next) => {
  req.user = jwt.decode(req.headers.authorization) // ← here
  next()
})`,
      `import jwt from 'jsonwebtoken'
export const read = (token, key) => jwt.verify(token, key, { algorithms: ['HS256', 'none'] })`,
      `const jwt = require('jwt-simple')
exports.user = (token, key) => jwt.decode(token, key, true)`,
    ],
    good: [
      `const jwt = require('jsonwebtoken')
exports.user = (token) => jwt.verify(token, process.env.KEY, { algorithms: ['HS256'] })`,
      `const jwt = require('jsonwebtoken')
exports.key = async (token) => keyFor(jwt.decode(token, { complete: true }).header.kid)`,
      `const jwt = require('jwt-simple')
exports.user = (token, key) => jwt.decode(token, key)`,
    ],
  },
  {
    rule: 'JS-JWT-02',
    bad: [
      `const jwt = require('jsonwebtoken')
exports.sign = (user) => jwt.sign({ id: user.id }, 'my-very-secret')`,
      `const jwt = require('jsonwebtoken')
const SECRET = 'changeme'
exports.read = (token) => jwt.verify(token, SECRET)`,
      `const session = require('express-session')
app.use(session({ secret: 'keyboard cat', resave: false })) // ← here`,
      `const jwt = require('jsonwebtoken')
exports.sign = (user) => jwt.sign({ id: user.id }, process.env.SECRET || 'secret')`,
    ],
    good: [
      `const jwt = require('jsonwebtoken')
exports.sign = (user) => jwt.sign({ id: user.id }, process.env.SECRET)`,
      `const session = require('express-session')
app.use(session({ secret: process.env.SESSION_SECRET }))`,
      `const jwt = require('jsonwebtoken'), fs = require('fs')
exports.sign = (user) => jwt.sign({ id: user.id }, fs.readFileSync('key.pem'), { algorithm: 'RS256' })`,
    ],
  },
]

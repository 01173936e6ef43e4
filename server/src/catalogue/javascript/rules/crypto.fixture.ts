import type { Example } from '../../example.fixture.ts'

export const examples: readonly Example[] = [
  {
    rule: 'JS-CRYPTO-01',
    bad: [
      `const crypto = require('crypto')
exports.hashPassword = (password) => crypto.createHash('md5').update(password).digest('hex')`,
      `import { createCipheriv } from 'node:crypto'
export const seal = (key, text) => createCipheriv('aes-256-ecb', key, null).update(text)`,
      `const crypto = require('crypto')
exports.seal = (key, text) => crypto.createCipher('aes192', key).update(text)`,
    ],
    good: [
      `const crypto = require('crypto')
exports.etag = (body) => crypto.createHash('md5').update(body).digest('hex')`,
      `const crypto = require('crypto')
exports.hashPassword = (password, salt) => crypto.scryptSync(password, salt, 64)`,
      `const crypto = require('crypto')
exports.seal = (key, iv, text) => crypto.createCipheriv('aes-256-gcm', key, iv).update(text)`,
    ],
  },
  {
    rule: 'JS-CRYPTO-02',
    bad: [
      `const crypto = require('crypto')
exports.seal = (text) => crypto.createCipheriv('aes-256-cbc', 'abcdefghijklmnopqrstuvwxyz012345', crypto.randomBytes(16))`,
      `const crypto = require('crypto')
const IV = Buffer.from('0123456789abcdef')
exports.seal = (key) => crypto.createCipheriv('aes-256-cbc', key, IV)`,
      `const crypto = require('crypto')
exports.hash = (password) => crypto.pbkdf2Sync(password, 'salt', 100000, 64, 'sha512')`,
    ],
    good: [
      `const crypto = require('crypto')
exports.seal = (key) => crypto.createCipheriv('aes-256-gcm', key, crypto.randomBytes(12))`,
      `const crypto = require('crypto')
exports.hash = (password) => crypto.scryptSync(password, crypto.randomBytes(16), 64)`,
      `const crypto = require('crypto')
exports.seal = (iv) => crypto.createCipheriv('aes-256-gcm', Buffer.from(process.env.KEY, 'hex'), iv)`,
    ],
  },
  {
    rule: 'JS-RAND-01',
    bad: [
      `function generateOTP() {
  return Math.floor(100000 + Math.random() * 900000) // ← here
}`,
      `const token = Math.random().toString(36).slice(2) // ← here`,
      `const user = {}
user.resetToken = 'r' + Math.random() // ← here`,
    ],
    good: [
      `const crypto = require('crypto')
const token = crypto.randomBytes(16).toString('hex')`,
      `const delay = 100 + Math.random() * 50`,
      `function shuffle(list) { return list.sort(() => Math.random() - 0.5) }`,
    ],
  },
  {
    rule: 'JS-TIME-01',
    bad: [
      `const crypto = require('crypto')
app.post('/hook', (req, res) => {
  const mac = crypto.createHmac('sha256', process.env.KEY).update(req.rawBody).digest('hex')
  if (mac !== req.headers['x-signature']) return res.status(401).end() // ← here
})`,
      `app.use((req, res, next) => {
  if (req.headers['x-api-key'] === process.env.API_KEY) next() // ← here
})`,
      `const crypto = require('crypto')
exports.check = (body, signature, key) =>
  crypto.createHmac('sha1', key).update(body).digest('hex') === signature`,
    ],
    good: [
      `const crypto = require('crypto')
app.post('/hook', (req, res) => {
  const mac = crypto.createHmac('sha256', process.env.KEY).update(req.rawBody).digest()
  const given = Buffer.from(req.headers['x-signature'], 'hex')
  if (mac.length !== given.length || !crypto.timingSafeEqual(mac, given)) return res.status(401).end()
})`,
      `if (process.env.NODE_ENV === 'production') start()`,
      `app.get('/x', (req, res) => { if (req.query.mode === 'full') res.json({}) })`,
    ],
  },
]

import type { Example } from '../../example.fixture.ts'

export const examples: readonly Example[] = [
  {
    rule: 'JS-TLS-01',
    bad: [
      `const https = require('https')
const agent = new https.Agent({ rejectUnauthorized: false }) // ← here`,
      `process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0' // ← here`,
      `const options = { host: 'x' }
options.rejectUnauthorized = false // ← here`,
    ],
    good: [
      `const agent = new https.Agent({ ca: fs.readFileSync('ca.pem') })`,
      `const agent = new https.Agent({ rejectUnauthorized: true })`,
      `const agent = new https.Agent({ rejectUnauthorized: process.env.NODE_ENV === 'production' })`,
    ],
  },
  {
    rule: 'JS-CORS-01',
    bad: [
      `const cors = require('cors')
app.use(cors({ origin: true, credentials: true })) // ← here`,
      `app.use((req, res, next) => {
  res.setHeader('Access-Control-Allow-Origin', req.headers.origin) // ← here
  res.setHeader('Access-Control-Allow-Credentials', 'true')
  next()
})`,
      `import cors from 'cors'
app.use(cors({ origin: (origin, callback) => callback(null, true), credentials: true }))`,
    ],
    good: [
      `const cors = require('cors')
app.use(cors({ origin: ['https://app.example'], credentials: true }))`,
      `const cors = require('cors')
app.use(cors({ origin: '*' }))`,
      `app.use((req, res, next) => {
  if (ALLOWED.includes(req.headers.origin)) res.setHeader('Access-Control-Allow-Origin', req.headers.origin)
  res.setHeader('Access-Control-Allow-Credentials', 'true')
  next()
})`,
    ],
  },
  {
    rule: 'JS-COOKIE-01',
    bad: [
      `app.post('/login', (req, res) => {
  res.cookie('session', makeSession()) // ← here
})`,
      `app.post('/login', (req, res) => {
  res.cookie('access_token', makeToken(), { httpOnly: false, secure: true }) // ← here
})`,
      `const session = require('express-session')
app.use(session({ secret: process.env.SECRET, cookie: { httpOnly: false } })) // ← here`,
    ],
    good: [
      `app.post('/login', (req, res) => res.cookie('session', makeSession(), { httpOnly: true, secure: true, sameSite: 'lax' }))`,
      `app.post('/theme', (req, res) => res.cookie('theme', 'dark'))`,
      `app.post('/login', (req, res) => res.cookie('session', makeSession(), COOKIE_OPTIONS))`,
      `app.get('/', (req, res) => res.cookie('XSRF-TOKEN', req.csrfToken()))`,
    ],
  },
]

import type { Example } from '../../example.fixture.ts'

export const examples: readonly Example[] = [
  {
    rule: 'JS-REDOS-01',
    bad: [
      `const NAME = /^(\\w+\\s?)+$/
app.post('/user', (req, res) => {
  if (!NAME.test(req.body.name)) return res.status(400).end() // ← here
})`,
      `exports.isEmail = function (text) {
  return /^([a-zA-Z0-9]+)*@example\\.com$/.test(text) // ← here
}`,
      `module.exports = (text) => text.replace(/(a+)+b/g, '')`,
      `app.get('/x', (req, res) => res.json(req.query.text.match(/(?:[a-z]*)*!/)))`,
    ],
    good: [
      `const NAME = /^\\w+(?:\\s\\w+)*$/
app.post('/user', (req, res) => res.json(NAME.test(req.body.name)))`,
      `app.post('/user', (req, res) => {
  if (req.body.name.length > 50) return res.status(400).end()
  res.json(/^(\\w+\\s?)+$/.test(req.body.name))
})`,
      `const TEXT = 'aaa'
console.log(/^(a+)+$/.test(TEXT))`,
      `exports.trim = (text) => text.replace(/\\s+$/, '')`,
    ],
  },
  {
    rule: 'JS-REDOS-02',
    bad: [
      `app.get('/find', (req, res) => {
  const pattern = new RegExp(req.query.q, 'i') // ← here
  res.json(items.filter((item) => pattern.test(item.name)))
})`,
      `router.get('/find', async (ctx) => {
  ctx.body = await Item.find({ name: new RegExp('^' + ctx.query.q) }) // ← here
})`,
      `export async function GET(request) {
  const q = new URL(request.url).searchParams.get('q')
  return Response.json(items.filter((item) => RegExp(q).test(item))) // ← here
}`,
    ],
    good: [
      `const escapeStringRegexp = require('escape-string-regexp')
app.get('/find', (req, res) => res.json(new RegExp(escapeStringRegexp(req.query.q), 'i').test('x')))`,
      `app.get('/find', (req, res) => res.json(items.filter((item) => item.includes(req.query.q))))`,
      `const escape = (text) => text.replace(/[.*+?^\${}()|[\\]\\\\]/g, '\\\\$&')
app.get('/find', (req, res) => res.json(new RegExp(escape(req.query.q)).test('x')))`,
    ],
  },
]

import type { Example } from '../../example.fixture.ts'

export const examples: readonly Example[] = [
  {
    rule: 'JS-SSRF-01',
    bad: [
      `app.get('/proxy', async (req, res) => {
  const answer = await fetch(req.query.url) // ← here
  res.send(await answer.text())
})`,
      `const axios = require('axios')
app.post('/hook', async (req, res) => {
  await axios.post('https://' + req.body.host + '/callback', {}) // ← here
})`,
      `import got from 'got'
export async function POST(request: Request) {
  const { target } = await request.json()
  return Response.json(await got({ url: target })) // ← here
}`,
    ],
    good: [
      `app.get('/user', async (req, res) => fetch('https://api.example.com/users/' + encodeURIComponent(req.query.id)))`,
      `app.get('/user', async (req, res) => fetch(\`\${process.env.API}/users?name=\${req.query.name}\`))`,
      `const HOSTS = new Set(['a.example', 'b.example'])
app.get('/proxy', async (req, res) => {
  const url = new URL(req.query.url)
  if (!HOSTS.has(url.hostname)) return res.status(400).end()
  res.json(await fetch(url))
})`,
      `const TARGETS = { a: 'https://a.example', b: 'https://b.example' }
app.get('/proxy', async (req, res) => fetch(TARGETS[req.query.name]))`,
    ],
  },
  {
    rule: 'JS-REDIR-01',
    bad: [
      `app.get('/go', (req, res) => {
  res.redirect(req.query.next) // ← here
})`,
      `router.get('/login', async (ctx) => {
  ctx.redirect(ctx.query.return_to) // ← here
})`,
      `app.get('/go', (req, res) => {
  res.writeHead(302, { Location: 'https://' + req.query.host }) // ← here
  res.end()
})`,
      `window.location.href = new URLSearchParams(window.location.search).get('next') // ← here`,
    ],
    good: [
      `app.get('/go', (req, res) => res.redirect('/users/' + req.query.id))`,
      `const PAGES = ['/home', '/help']
app.get('/go', (req, res) => res.redirect(PAGES.includes(req.query.next) ? req.query.next : '/'))`,
      `app.get('/go', (req, res) => {
  const next = req.query.next
  if (!/^\\/[a-z0-9-]*$/.test(next)) return res.redirect('/')
  res.redirect(next)
})`,
      `app.get('/search', (req, res) => res.redirect(\`/find?q=\${encodeURIComponent(req.query.q)}\`))`,
    ],
  },
  {
    rule: 'JS-HDR-01',
    bad: [
      `const net = require('net')
app.get('/x', (req, res) => {
  const socket = net.connect(80)
  socket.write('HTTP/1.1 302 Found\\r\\nLocation: ' + req.query.next + '\\r\\n\\r\\n') // ← here
})`,
      `server.on('upgrade', (req, socket) => {})
const net = require('net')
app.get('/y', (req, res) => {
  const out = new net.Socket()
  out.write(\`HTTP/1.1 200 OK\\r\\nX-User: \${req.headers['x-user']}\\r\\n\\r\\n\`) // ← here
})`,
      `const net = require('net')
app.post('/z', (req, res) => {
  const c = net.createConnection(8080)
  c.write('HTTP/1.1 200 OK\\r\\nSet-Cookie: a=' + req.body.a + '\\r\\n\\r\\n') // ← here
})`,
    ],
    good: [
      `app.get('/x', (req, res) => res.setHeader('X-User', req.query.user))`,
      `const net = require('net')
app.get('/x', (req, res) => net.connect(80).write('HTTP/1.1 302 Found\\r\\nLocation: /' + encodeURIComponent(req.query.next) + '\\r\\n\\r\\n'))`,
      `app.get('/x', (req, res) => res.write('HTTP/1.1 ' + req.query.x))`,
    ],
  },
]

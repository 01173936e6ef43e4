import type { Example } from '../../example.fixture.ts'

export const examples: readonly Example[] = [
  {
    rule: 'JS-XSS-01',
    bad: [
      `app.get('/hello', (req, res) => {
  res.send('<h1>Hello ' + req.query.name + '</h1>') // ← here
})`,
      `app.get('/search', (req, res) => {
  const page = \`<p>Nothing for \${req.query.q}</p>\`
  res.status(404).send(page) // ← here
})`,
      `const http = require('http')
http.createServer((req, res) => {
  res.writeHead(404, { 'Content-Type': 'text/html' })
  res.end('<p>No such page: ' + req.url + '</p>') // ← here
})`,
    ],
    good: [
      `const escapeHtml = require('escape-html')
app.get('/hello', (req, res) => res.send('<h1>Hello ' + escapeHtml(req.query.name) + '</h1>'))`,
      `app.get('/hello', (req, res) => res.json({ name: req.query.name }))`,
      `app.get('/hello', (req, res) => res.type('text/plain').send('Hello ' + req.query.name))`,
      `app.get('/hello', (req, res) => res.render('hello', { name: req.query.name }))`,
      `app.get('/page', (req, res) => res.send('<p>' + Number(req.query.page) + '</p>'))`,
    ],
  },
  {
    rule: 'JS-XSS-02',
    bad: [
      `const name = new URLSearchParams(location.search).get('name')
document.getElementById('hello').innerHTML = 'Hello ' + name // ← here`,
      `document.write('<a href="' + document.location.hash + '">') // ← here`,
      `export function Preview() {
  const html = decodeURIComponent(window.location.hash.slice(1))
  return <div dangerouslySetInnerHTML={{ __html: html }} />
}`,
    ],
    good: [
      `const name = new URLSearchParams(location.search).get('name')
document.getElementById('hello').textContent = 'Hello ' + name`,
      `import DOMPurify from 'dompurify'
document.body.innerHTML = DOMPurify.sanitize(location.hash)`,
      `document.body.innerHTML = '<p>' + parseInt(location.hash.slice(1), 10) + '</p>'`,
      `export const Icon = ({ svg }) => <i dangerouslySetInnerHTML={{ __html: '<b>x</b>' }} />`,
    ],
    path: 'src/page.tsx',
  },
]

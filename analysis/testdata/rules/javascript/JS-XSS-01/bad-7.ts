const http = require('http'), url = require('url')
http.createServer((req, res) => {
  const { pathname } = url.parse(req.url)
  if (pathname.includes('..')) {
    res.writeHead(403, { 'Content-Type': 'text/plain' })
    return res.end('Forbidden')
  }
  res.writeHead(200, { 'Content-Type': 'text/html' })
  res.end(['<h1>', pathname, '</h1>'].join('')) // ← here
}).listen(8080)

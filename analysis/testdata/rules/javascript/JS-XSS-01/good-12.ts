const http = require('http'), { escHtml } = require('./texts')
http.createServer((req, res) => {
  res.writeHead(404, { 'Content-Type': 'text/html' })
  res.end('<h1>' + escHtml(req.url) + ' does not exist</h1>')
}).listen(8080)

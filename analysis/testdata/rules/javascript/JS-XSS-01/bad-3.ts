const http = require('http')
http.createServer((req, res) => {
  res.writeHead(404, { 'Content-Type': 'text/html' })
  res.end('<p>No such page: ' + req.url + '</p>') // ← here
})

const http = require('http'), parseurl = require('parseurl')
http.createServer((req, res) => {
  const { pathname } = parseurl.original(req)
  res.writeHead(301, { location: pathname + '/' }) // ← here
  res.end()
}).listen(8080)

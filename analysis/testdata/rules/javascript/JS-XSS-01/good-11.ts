const http = require('http')
http.createServer((req, res) => {
  if (req.url === '/') {
    res.setHeader('Content-Type', 'text/html')
    return res.end('<h1>Search</h1>')
  }
  res.setHeader('Content-Type', 'text/plain')
  res.end('<' + req.url + '> does not exist')
}).listen(8080)

const http = require('http'), fs = require('fs'), parseurl = require('parseurl')
http.createServer((req, res) => {
  const { pathname } = parseurl(req)
  fs.createReadStream('public' + pathname).pipe(res) // ← here
}).listen(8080)

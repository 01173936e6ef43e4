const http = require('http'), fs = require('fs'), path = require('path'), url = require('url')
http.createServer(function (req, res) {
  const pathname = url.parse(req.url).pathname
  const file = path.join(process.cwd(), pathname)
  fs.readFile(file, function (err, data) { res.end(data) }) // ← here
}).listen(80)

const http = require('http'), path = require('path'), send = require('send')
http.createServer((req, res) => {
  send(req, path.join('public', decodeURIComponent(req.url))).pipe(res) // ← here
}).listen(8080)

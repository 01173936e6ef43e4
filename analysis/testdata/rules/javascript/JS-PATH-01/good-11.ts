const http = require('http'), send = require('send'), parseurl = require('parseurl')
http.createServer((req, res) => {
  send(req, parseurl(req).pathname, { root: 'public' }).pipe(res)
}).listen(8080)

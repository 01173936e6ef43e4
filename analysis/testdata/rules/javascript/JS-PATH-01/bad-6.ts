const http = require('http')
const lib = require('./lib')

const server = http.createServer()
server.on('request', function (asked, answer) {
  lib.fs.createReadStream('./public' + asked.url).pipe(answer) // ← here
})

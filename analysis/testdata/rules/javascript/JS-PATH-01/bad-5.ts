const http = require('http')
const fs = require('fs')

http
  .createServer(function (asked, answer) {
    fs.readFile('./public' + asked.url, function (error, data) { // ← here
      answer.end(data)
    })
  })
  .listen(8080)

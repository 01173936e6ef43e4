const http = require('http')
const fs = require('fs')

http
  .createServer(function (asked, answer) {
    fs.readdir('./public', function (error, names) {
      let list = '<ul>'
      names.forEach(function (name) {
        list += '<li><a href="' + name + '">' + name + '</a></li>'
      })
      answer.writeHead(200, { 'Content-Type': 'text/html' })
      answer.end(list + '</ul>') // ← here
    })
  })
  .listen(8080)

const http = require('http')
const fs = require('fs')
const escapeHtml = require('escape-html')

http
  .createServer(function (asked, answer) {
    const names = fs.readdirSync('./public').map((name) => `<li>${escapeHtml(name)}</li>`)
    answer.writeHead(200, { 'Content-Type': 'text/html' })
    answer.end('<ul>' + names.join('') + '</ul>')
  })
  .listen(8080)

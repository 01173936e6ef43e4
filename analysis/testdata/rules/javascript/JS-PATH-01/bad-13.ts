const fs = require('fs')
const http = require('http')
const url = require('url')

http
  .createServer((req, res) => {
    const asked = url.parse(req.url, true)
    const word = String(asked.query.word)
    const isKnown = ['lagos', 'lome'].some((city) => city.substring(0, word.length) === word)
    if (isKnown) return res.end('known')
    fs.readFile('pages' + asked.pathname, (_, data) => res.end(data)) // ← here
  })
  .listen(8080)

import fs from 'node:fs'
import http from 'node:http'

http
  .createServer((req, res) => {
    const file = `.${req.url}`
    if (file.indexOf('..') === 0) return res.end('no')
    fs.readFile(file, (_, data) => res.end(data)) // ← here
  })
  .listen(8080)

const http = require('http')
const fs = require('fs')
const path = require('path')

http.createServer((req, res) => {
  const name = path.normalize(decodeURIComponent(req.url)).replace(/^(\.\.[/\\])+/, '')
  fs.createReadStream(path.join('public', name)).pipe(res)
})

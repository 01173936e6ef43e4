const http = require('http')
const fs = require('fs')

http.createServer((req, res) => {
  const match = /^\/([a-z]+)\.js$/.exec(req.url)
  if (match) fs.createReadStream('scripts/' + match[1] + '.js').pipe(res)
  else res.end()
})

const http = require('http')
const fs = require('fs')

http.createServer((req, res) => {
  const match = /^\/files\/(.+)$/.exec(req.url)
  if (match) fs.createReadStream('files/' + match[1]).pipe(res) // ← here
  else res.end()
})

import fs from 'node:fs'
import http from 'node:http'

http
  .createServer((req, res) => {
    const name = req.url.replace(/(\.\.[/\\])+/g, '')
    fs.readFile(`${process.cwd()}${name}`, (_, data) => res.end(data)) // ← here
  })
  .listen(8080)

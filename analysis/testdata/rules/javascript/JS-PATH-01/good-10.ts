import fs from 'node:fs'
import http from 'node:http'
import path from 'node:path'

const folder = path.resolve('public')
const inside = new RegExp('^' + RegExp.escape(folder) + '/')

http
  .createServer((req, res) => {
    const file = path.join(folder, decodeURIComponent(req.url))
    if (!inside.test(file)) return res.writeHead(403).end()
    fs.createReadStream(file).pipe(res)
  })
  .listen(8080)

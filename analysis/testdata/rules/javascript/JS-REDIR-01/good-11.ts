import http from 'node:http'

http
  .createServer((req, res) => {
    let target = req.url
    if (target.indexOf('//') > -1) target = target.replace(/\/+/g, '/')
    res.writeHead(301, { Location: target })
    res.end()
  })
  .listen(8080)

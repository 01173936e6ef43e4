const http = require('http'), parseurl = require('parseurl')
http.createServer((req, res) => {
  const { pathname } = parseurl.original(req)
  res.writeHead(301, { location: collapseLeadingSlashes(pathname) + '/' })
  res.end()
}).listen(8080)

function collapseLeadingSlashes(text) {
  let start = 0
  while (text.charAt(start) === '/') start++
  return start > 1 ? '/' + text.slice(start) : text
}

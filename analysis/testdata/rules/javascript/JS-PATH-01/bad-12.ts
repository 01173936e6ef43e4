const fs = require('fs')
const http = require('http')
const url = require('url')

const site = {
  send: function (name, res) {
    fs.createReadStream(name).pipe(res) // ← here
  },
  listen: function () {
    const self = this
    http
      .createServer(function (req, res) {
        self.send.bind(self)(url.parse(req.url).pathname.slice(1), res)
      })
      .listen(8080)
  },
}

site.listen()

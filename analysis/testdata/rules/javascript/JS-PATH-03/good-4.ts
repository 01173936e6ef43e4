const fs = require('fs'), path = require('path')
function serve(base, url, done) {
  const root = base.endsWith('/') ? base : base + '/'
  const target = path.normalize(root + decodeURIComponent(url))
  if (target.slice(0, root.length) !== root) return done(new Error('forbidden'))
  fs.readFile(target, done)
}
module.exports = serve

const fs = require('fs'), path = require('path')
function serve(base, url, done) {
  const target = path.normalize(base + decodeURIComponent(url))
  if (target.slice(0, base.length) !== base) return done(new Error('forbidden')) // ← here
  fs.readFile(target, done)
}
module.exports = serve

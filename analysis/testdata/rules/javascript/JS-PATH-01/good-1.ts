const fs = require('fs')
const path = require('path')
const isInside = require('path-is-inside')
const related = (root, name) => path.join(root, name + '.html')
module.exports = (root) => (req, res) => {
  let file = path.join(root, req.url)
  if (!isInside(file, root)) return res.end()
  if (!fs.existsSync(file)) file = related(root, req.url)
  fs.createReadStream(file).pipe(res)
}

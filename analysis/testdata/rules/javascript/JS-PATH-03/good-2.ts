const fs = require('fs'), path = require('path')
const folder = path.resolve('uploads') + path.sep
module.exports = (req, res) => {
  const file = path.resolve(folder, req.params.name)
  if (file.indexOf(folder) !== 0) return res.sendStatus(403)
  fs.createReadStream(file).pipe(res)
}

const fs = require('fs'), path = require('path')
const ROOT = path.resolve('files')
app.get('/file', (req, res) => {
  const file = path.resolve(ROOT, req.query.name)
  if (!file.startsWith(ROOT + path.sep)) return res.status(403).end()
  fs.createReadStream(file).pipe(res)
})

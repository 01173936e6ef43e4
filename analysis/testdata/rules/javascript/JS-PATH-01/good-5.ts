const fs = require('fs'), path = require('path')
app.get('/file', (req, res) => {
  const file = path.join('files', req.query.name)
  const inside = path.relative('files', file)
  if (inside.startsWith('..') || path.isAbsolute(inside)) return res.status(403).end()
  fs.readFile(file, (error, data) => res.end(data))
})

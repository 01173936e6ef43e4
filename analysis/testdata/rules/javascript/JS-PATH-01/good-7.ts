const fs = require('fs')
app.get('/file', (req, res) => {
  if (req.query.name.indexOf('..') !== -1) return res.status(400).end()
  fs.readFile('files/' + req.query.name, () => res.end())
})

const fs = require('fs')
app.get('/file', (req, res) => {
  fs.createReadStream('./files/' + req.query.name).pipe(res) // ← here
})

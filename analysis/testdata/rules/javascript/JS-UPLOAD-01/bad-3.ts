const fs = require('fs'), path = require('path')
app.post('/import', (req, res) => {
  fs.writeFileSync(path.join('data', req.file.originalname), req.file.buffer) // ← here
})

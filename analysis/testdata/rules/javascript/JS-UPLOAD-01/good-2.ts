const fs = require('fs'), path = require('path')
app.post('/avatar', (req, res) => fs.writeFileSync(path.join('data', path.basename(req.file.originalname)), req.file.buffer))

const fs = require('fs')
app.post('/avatar', upload.single('avatar'), (req, res) => {
  fs.rename(req.file.path, 'public/' + req.file.originalname, () => res.end()) // ← here
})

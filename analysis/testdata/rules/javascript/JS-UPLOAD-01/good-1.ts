const fs = require('fs'), crypto = require('crypto')
app.post('/avatar', (req, res) => fs.rename(req.file.path, 'public/' + crypto.randomUUID() + '.png', () => res.end()))

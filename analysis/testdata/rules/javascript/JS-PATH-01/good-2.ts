const fs = require('fs'), path = require('path')
app.get('/file', (req, res) => fs.createReadStream(path.join('files', path.basename(req.query.name))).pipe(res))

const fs = require('fs')
app.get('/page/:id', (req, res) => fs.readFile('pages/' + Number(req.params.id) + '.html', () => res.end()))

const libxml = require('libxmljs')
app.post('/xml', (req, res) => res.json(libxml.parseXml(req.body, { noent: true })))

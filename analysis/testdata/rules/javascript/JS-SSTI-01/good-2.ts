const pug = require('pug')
const page = pug.compile('h1= title')
app.get('/page', (req, res) => res.send(page({ title: req.query.title })))

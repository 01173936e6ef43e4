import pug from 'pug'
app.get('/page', (req, res) => res.send(pug.compile('h1 ' + req.query.title)()))

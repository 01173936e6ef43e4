app.get('/hello', (req, res) => res.type('text/plain').send('Hello ' + req.query.name))

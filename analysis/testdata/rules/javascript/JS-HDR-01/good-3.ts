app.get('/x', (req, res) => res.write('HTTP/1.1 ' + req.query.x))

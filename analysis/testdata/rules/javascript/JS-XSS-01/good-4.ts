app.get('/hello', (req, res) => res.render('hello', { name: req.query.name }))

app.get('/user', (req, res) => document.querySelector('select from ' + req.query.name))

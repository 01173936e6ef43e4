app.get('/go', (req, res) => res.redirect('/users/' + req.query.id))

app.get('/search', (req, res) => res.redirect(`/find?q=${encodeURIComponent(req.query.q)}`))

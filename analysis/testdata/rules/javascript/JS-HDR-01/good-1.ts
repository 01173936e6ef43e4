app.get('/x', (req, res) => res.setHeader('X-User', req.query.user))

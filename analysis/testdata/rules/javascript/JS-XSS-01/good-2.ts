app.get('/hello', (req, res) => res.json({ name: req.query.name }))

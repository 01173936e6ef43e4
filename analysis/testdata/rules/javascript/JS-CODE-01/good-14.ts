app.get('/later', (req, res) => setTimeout(() => res.json(req.query), 10))

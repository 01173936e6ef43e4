app.get('/calc', (req, res) => res.json(JSON.parse(req.query.data)))

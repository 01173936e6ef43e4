app.get('/find', (req, res) => res.json(items.filter((item) => item.includes(req.query.q))))

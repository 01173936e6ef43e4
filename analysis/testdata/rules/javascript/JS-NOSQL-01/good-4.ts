app.get('/x', (req, res) => [1, 2].find((each) => each === req.query.n))

app.get('/', (req, res) => res.json(JSON.parse(req.cookies.profile)))

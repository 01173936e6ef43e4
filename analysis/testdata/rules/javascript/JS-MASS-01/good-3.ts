app.post('/log', (req, res) => { const seen = []; seen.push(req.body); res.json(seen) })

app.get('/x', (req, res) => { if (req.query.mode === 'full') res.json({}) })

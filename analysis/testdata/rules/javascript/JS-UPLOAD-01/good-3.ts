app.post('/avatar', (req, res) => res.json({ name: req.file.originalname }))

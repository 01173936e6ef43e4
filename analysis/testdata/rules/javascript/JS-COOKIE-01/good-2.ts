app.post('/theme', (req, res) => res.cookie('theme', 'dark'))

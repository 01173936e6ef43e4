app.get('/user', async (req, res) => fetch('https://api.example.com/users/' + encodeURIComponent(req.query.id)))

app.get('/user', (req, res) => connection.query('SELECT * FROM users WHERE name = ?', [req.query.name]))

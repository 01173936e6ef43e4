const mysql = require('mysql')
app.get('/user', (req, res) => connection.query('SELECT * FROM users WHERE name = ' + mysql.escape(req.query.name)))

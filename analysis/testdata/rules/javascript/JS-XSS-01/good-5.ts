app.get('/page', (req, res) => res.send('<p>' + Number(req.query.page) + '</p>'))

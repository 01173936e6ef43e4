app.get('/user', async (req, res) => fetch(`${process.env.API}/users?name=${req.query.name}`))

const NAME = /^\w+(?:\s\w+)*$/
app.post('/user', (req, res) => res.json(NAME.test(req.body.name)))

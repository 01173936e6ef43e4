const v8 = require('v8')
app.post('/', (req, res) => res.json(v8.deserialize(Buffer.from(req.body.data, 'base64'))))

const { unserialize } = require('node-serialize')
app.post('/', (req, res) => res.json(unserialize(Buffer.from(req.body.data, 'base64').toString())))

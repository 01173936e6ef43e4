const yaml = require('js-yaml')
app.post('/', (req, res) => res.json(yaml.load(req.body.text)))

const vm = require('vm')
app.post('/run', (req, res) => res.json(vm.runInNewContext(req.body.code)))

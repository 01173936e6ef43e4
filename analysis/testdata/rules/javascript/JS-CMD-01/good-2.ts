const { exec } = require('child_process')
const { quote } = require('shell-quote')
app.get('/ping', (req, res) => exec('ping -c 1 ' + quote([req.query.host])))

const net = require('net')
app.get('/x', (req, res) => net.connect(80).write('HTTP/1.1 302 Found\r\nLocation: /' + encodeURIComponent(req.query.next) + '\r\n\r\n'))

const net = require('net')
app.post('/z', (req, res) => {
  const c = net.createConnection(8080)
  c.write('HTTP/1.1 200 OK\r\nSet-Cookie: a=' + req.body.a + '\r\n\r\n') // ← here
})

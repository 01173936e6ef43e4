const net = require('net')
app.get('/x', (req, res) => {
  const socket = net.connect(80)
  socket.write('HTTP/1.1 302 Found\r\nLocation: ' + req.query.next + '\r\n\r\n') // ← here
})

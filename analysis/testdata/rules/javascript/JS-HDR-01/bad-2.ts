server.on('upgrade', (req, socket) => {})
const net = require('net')
app.get('/y', (req, res) => {
  const out = new net.Socket()
  out.write(`HTTP/1.1 200 OK\r\nX-User: ${req.headers['x-user']}\r\n\r\n`) // ← here
})

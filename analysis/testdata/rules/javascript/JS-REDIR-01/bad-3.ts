app.get('/go', (req, res) => {
  res.writeHead(302, { Location: 'https://' + req.query.host }) // ← here
  res.end()
})

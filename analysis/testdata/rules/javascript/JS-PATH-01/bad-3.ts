import path from 'node:path'
app.get('/download/:name', (req, res) => {
  res.sendFile(path.resolve('uploads', req.params.name)) // ← here
})

app.post('/avatar', (req, res) => {
  const file = req.files.avatar
  file.mv('public/' + file.name) // ← here
})

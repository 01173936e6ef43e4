app.get('/search', (req, res) => {
  const page = `<p>Nothing for ${req.query.q}</p>`
  res.status(404).send(page) // ← here
})

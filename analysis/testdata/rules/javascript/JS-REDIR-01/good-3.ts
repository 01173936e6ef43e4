app.get('/go', (req, res) => {
  const next = req.query.next
  if (!/^\/[a-z0-9-]*$/.test(next)) return res.redirect('/')
  res.redirect(next)
})

const HOSTS = new Set(['a.example', 'b.example'])
app.get('/proxy', async (req, res) => {
  const url = new URL(req.query.url)
  if (!HOSTS.has(url.hostname)) return res.status(400).end()
  res.json(await fetch(url))
})

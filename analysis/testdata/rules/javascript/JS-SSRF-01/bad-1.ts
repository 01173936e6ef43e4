app.get('/proxy', async (req, res) => {
  const answer = await fetch(req.query.url) // ← here
  res.send(await answer.text())
})

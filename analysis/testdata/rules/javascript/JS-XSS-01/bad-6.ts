app.get('/page', (req, res) => {
  res.send(`<script>window.state = ${JSON.stringify(req.query)}</script>`) // ← here
})

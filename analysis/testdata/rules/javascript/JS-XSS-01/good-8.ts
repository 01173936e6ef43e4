app.get('/page', (req, res) => {
  const state = JSON.stringify(req.query).replace(/</g, '\\u003c')
  res.send(`<script>window.state = ${state}</script>`)
})

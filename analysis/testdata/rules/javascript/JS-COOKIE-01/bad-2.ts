app.post('/login', (req, res) => {
  res.cookie('access_token', makeToken(), { httpOnly: false, secure: true }) // ← here
})

app.post('/login', (req, res) => res.cookie('session', makeSession(), COOKIE_OPTIONS))

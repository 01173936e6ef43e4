app.post('/login', (req, res) => res.cookie('session', makeSession(), { httpOnly: true, secure: true, sameSite: 'lax' }))

const PAGES = ['/home', '/help']
app.get('/go', (req, res) => res.redirect(PAGES.includes(req.query.next) ? req.query.next : '/'))

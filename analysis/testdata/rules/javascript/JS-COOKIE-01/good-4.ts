app.get('/', (req, res) => res.cookie('XSRF-TOKEN', req.csrfToken()))

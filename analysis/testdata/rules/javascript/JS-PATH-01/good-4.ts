app.get('/file/:name', (req, res) => res.sendFile(req.params.name, { root: 'files' }))

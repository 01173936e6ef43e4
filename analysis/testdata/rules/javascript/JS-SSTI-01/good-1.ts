const ejs = require('ejs')
app.post('/preview', (req, res) => res.send(ejs.render('<p><%= name %></p>', { name: req.body.name })))

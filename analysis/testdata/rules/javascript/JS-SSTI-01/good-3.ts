const Handlebars = require('handlebars')
const fs = require('fs')
const render = Handlebars.compile(fs.readFileSync('mail.hbs', 'utf8'))
app.post('/mail', (req, res) => res.json(render(req.body)))

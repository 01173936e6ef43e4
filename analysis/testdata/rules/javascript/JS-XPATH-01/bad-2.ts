import { select } from 'xpath'
app.get('/user', (req, res) => res.json(select(`//user[name='${req.query.name}']`, doc)))

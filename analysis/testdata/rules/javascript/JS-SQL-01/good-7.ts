app.get('/page', (req, res) => {
  const offset = Number.parseInt(req.query.offset, 10)
  return db.query('select id from items where shop = 1 offset ' + offset)
})

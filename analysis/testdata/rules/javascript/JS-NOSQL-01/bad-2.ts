const { MongoClient } = require('mongodb')
app.get('/items', async (req, res) => {
  res.json(await db.collection('items').find(req.query).toArray()) // ← here
})

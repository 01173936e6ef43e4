const { Pool } = require('pg')
const pool = new Pool()
async function orders(sort) {
  return pool.query(`select id, total from orders order by ${sort}`) // ← here
}
router.get('/orders', async (req, res) => res.json(await orders(req.query.sort)))

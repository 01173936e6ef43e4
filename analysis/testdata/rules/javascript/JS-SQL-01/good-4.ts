const COLUMNS = ['id', 'total']
router.get('/orders', async (req, res) => {
  const sort = COLUMNS.includes(req.query.sort) ? req.query.sort : 'id'
  res.json(await pool.query(`select id, total from orders order by ${sort}`))
})

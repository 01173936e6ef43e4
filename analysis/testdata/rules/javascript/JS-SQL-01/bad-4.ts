app.post('/x', async (req, res) => {
  let sql = 'update accounts set note = '
  sql += "'" + req.body.note + "' where id = 1"
  await prisma.$queryRawUnsafe(sql) // ← here
})

const sql = require('mssql')
exports.names = async function (pool) {
  const request = new sql.Request(pool)
  const rows = await request.query('select name from tables')
  return pool.query("delete from logs where name = '" + rows[0].name + "'")
}

import type { Example } from '../../example.fixture.ts'

export const examples: readonly Example[] = [
  {
    rule: 'JS-SQL-01',
    bad: [
      `app.get('/user', (req, res) => {
  connection.query("SELECT * FROM users WHERE name = '" + req.query.name + "'", (error, rows) => res.json(rows)) // ← here
})`,
      `const { Pool } = require('pg')
const pool = new Pool()
async function orders(sort) {
  return pool.query(\`select id, total from orders order by \${sort}\`) // ← here
}
router.get('/orders', async (req, res) => res.json(await orders(req.query.sort)))`,
      `export const find = (db, email) => db.get(\`SELECT id FROM users WHERE email = '\${email}'\`)`,
      `app.post('/x', async (req, res) => {
  let sql = 'update accounts set note = '
  sql += "'" + req.body.note + "' where id = 1"
  await prisma.$queryRawUnsafe(sql) // ← here
})`,
    ],
    good: [
      `const sql = require('mssql')
exports.names = async function (pool) {
  const request = new sql.Request(pool)
  const rows = await request.query('select name from tables')
  return pool.query("delete from logs where name = '" + rows[0].name + "'")
}`,
      `class Runner extends Driver {
  has(name) { return this.query("select * from tables where name = '" + name + "'") }
}
module.exports = Runner`,
      `app.get('/user', (req, res) => connection.query('SELECT * FROM users WHERE name = ?', [req.query.name]))`,
      `const COLUMNS = ['id', 'total']
router.get('/orders', async (req, res) => {
  const sort = COLUMNS.includes(req.query.sort) ? req.query.sort : 'id'
  res.json(await pool.query(\`select id, total from orders order by \${sort}\`))
})`,
      `router.get('/user', (req, res) => sql\`select id from users where id = \${req.query.id}\`)`,
      `const mysql = require('mysql')
app.get('/user', (req, res) => connection.query('SELECT * FROM users WHERE name = ' + mysql.escape(req.query.name)))`,
      `app.get('/page', (req, res) => {
  const offset = Number.parseInt(req.query.offset, 10)
  return db.query('select id from items where shop = 1 offset ' + offset)
})`,
      `exports.list = (db, table) => db.query(\`select * from \${table}\`)`,
      `app.get('/user', (req, res) => document.querySelector('select from ' + req.query.name))`,
    ],
  },
]

exports.spend = async (db, id, amount) => {
  const [row] = await db.query('select balance from wallets where id = ? for update', [id])
  const left = row.balance - amount
  await db.query('update wallets set balance = ? where id = ?', [left, id])
}

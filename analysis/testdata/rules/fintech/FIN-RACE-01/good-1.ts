exports.spend = async (db, id, amount) => {
  const done = await db.query('update wallets set balance = balance - ? where id = ? and balance >= ?', [amount, id, amount])
  if (done.affectedRows === 0) throw new Error('not enough')
}

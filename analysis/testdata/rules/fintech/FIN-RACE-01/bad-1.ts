async function transfer(db, from, to, amount) {
  const { rows } = await db.query('SELECT balance FROM wallets WHERE id = $1', [from])
  if (rows[0].balance < amount) throw new Error('insufficient funds')
  await db.query('UPDATE wallets SET balance = $1 WHERE id = $2', [rows[0].balance - amount, from]) // ← here
  await db.query('UPDATE wallets SET balance = balance + $1 WHERE id = $2', [amount, to])
}

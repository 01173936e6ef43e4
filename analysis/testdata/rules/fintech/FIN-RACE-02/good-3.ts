exports.total = (rows) => {
  const sum = { balance: 0 }
  for (const row of rows) sum.balance += row.amount
  return sum
}

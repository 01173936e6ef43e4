const db = require('../db')

exports.settle = async (reference, amount) => {
  await db.query("UPDATE orders SET status = 'paid' WHERE reference = $1 AND total_kobo = $2 AND status = 'pending'", [reference, amount])
}

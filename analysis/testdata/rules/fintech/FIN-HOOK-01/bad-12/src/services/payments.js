const db = require('../db')

exports.complete = async (id) => {
  await db.query("UPDATE payments SET status = 'completed' WHERE checkout_request_id = $1", [id])
}

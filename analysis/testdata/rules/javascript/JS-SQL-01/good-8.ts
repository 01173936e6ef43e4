exports.list = (db, table) => db.query(`select * from ${table}`)

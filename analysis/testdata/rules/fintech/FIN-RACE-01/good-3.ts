exports.rename = (db, id, name) => db.query('update wallets set name = ? where id = ?', [name, id])

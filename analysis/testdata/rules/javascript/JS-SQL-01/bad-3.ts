export const find = (db, email) => db.get(`SELECT id FROM users WHERE email = '${email}'`)

router.get('/user', (req, res) => sql`select id from users where id = ${req.query.id}`)

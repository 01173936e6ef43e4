import { Client } from 'ldapts'
const client = new Client({ url: 'ldap://x' })
app.post('/login', async (req, res) => {
  await client.search('dc=x', { scope: 'sub', filter: `(&(uid=${req.body.user})(active=1))` }) // ← here
})

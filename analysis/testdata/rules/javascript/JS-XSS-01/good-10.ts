import { renderAccount } from 'account-pages'

export async function account(req, res) {
  const page = await renderAccount({ query: req.query, cookies: req.cookies })
  res.send(page.body)
}

import { Account } from '../models/account'

export async function list(req, res) {
  const total = await Account.count({ where: { owner: req.query.owner } })
  res.json({ total, accounts: await Account.findAll({ limit: 10 }) })
}

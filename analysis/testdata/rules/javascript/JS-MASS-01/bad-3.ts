import { Account } from '../models/account.js'
router.patch('/me', async (req, res) => {
  const account = await Account.findByPk(req.user.id)
  Object.assign(account, req.body) // ← here
  await account.save()
})

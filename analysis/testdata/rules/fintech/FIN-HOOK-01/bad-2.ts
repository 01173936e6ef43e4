import { Router } from 'express'
const router = Router()
router.post('/flutterwave/webhook', async (req, res) => { // ← here
  const { data } = req.body
  const wallet = await Wallet.findOne({ user: data.meta.user })
  await wallet.increment('balance', { by: data.amount })
  res.end()
})

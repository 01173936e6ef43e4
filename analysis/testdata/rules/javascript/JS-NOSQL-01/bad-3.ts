import User from '../models/user.js'
import mongoose from 'mongoose'
router.delete('/sessions', async (req, res) => {
  const { token } = req.body
  await User.deleteOne({ session: { token } }) // ← here
})

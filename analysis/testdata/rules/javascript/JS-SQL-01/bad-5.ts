import express from 'express'
import { Pool } from 'pg'

const pool = new Pool()
const app = express()
app.post('/report', async (req, res) => {
  const { statement } = req.body
  res.json(await pool.query(statement)) // ← here
})

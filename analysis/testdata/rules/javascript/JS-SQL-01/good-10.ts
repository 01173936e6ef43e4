import express from 'express'
import { Pool } from 'pg'

const pool = new Pool()
const REPORTS = { day: 'select * from sales where day = $1' }
const app = express()
app.post('/report', async (req, res) => {
  res.json(await pool.query(REPORTS.day, [req.body.day]))
})

const express = require('express')
const { clauses } = require('./clauses')
const app = express()
// SELECT * FROM rows
app.get('/rows', (req, res) => {
  clauses.push(` AND label = '${req.query.value}'`) // ← here
  res.end()
})

// A branch name of a request.
const { spawn } = require('child_process')
const express = require('express')
const app = express()

app.get('/log', (req, res) => {
  const child = spawn('git', ['log', req.query.branch]) // ← here
  child.stdout.pipe(res)
})

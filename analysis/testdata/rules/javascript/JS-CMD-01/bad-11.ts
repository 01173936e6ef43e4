import { spawn } from 'node:child_process'
import express from 'express'

express().post('/run', (req, res) => {
  spawn(req.body.program, ['--version']).stdout.pipe(res) // ← here
})

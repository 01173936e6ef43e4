import http from 'node:http'
import { orders } from './orders.mjs'

http.createServer(async (req, res) => { // ← here
  if (req.url !== '/ozow/notify') return res.end()
  let raw = ''
  for await (const chunk of req) raw += chunk
  const fields = new URLSearchParams(raw)
  await orders.update(fields.get('TransactionReference'), { status: 'paid' })
  res.end('ok')
})

import type { Example } from '../../example.fixture.ts'

export const examples: readonly Example[] = [
  {
    rule: 'FIN-REF-01',
    bad: [
      `exports.pay = (paystack, email) => paystack.transaction.initialize({
  email,
  reference: 'PAY-' + Date.now(), // ← here
})`,
      `const Flutterwave = require('flutterwave-node-v3')
const tx_ref = \`tx-\${Math.floor(Math.random() * 1000000)}\` // ← here`,
      `=== pay.php
<?php
$reference = 'order_' . time(); // ← here
Http::post('https://api.paystack.co/transaction/initialize', ['reference' => $reference]);`,
    ],
    good: [
      `const { randomUUID } = require('crypto')
exports.pay = (paystack, email) => paystack.transaction.initialize({ email, reference: randomUUID() })`,
      `exports.pay = (paystack, order) => paystack.transaction.initialize({ reference: \`\${order.id}-\${Date.now()}\` })`,
      `const reference = 'figure ' + Math.random()`,
    ],
  },
  {
    rule: 'FIN-IDEM-02',
    bad: [
      `const { randomUUID } = require('crypto')
exports.payOut = async (paystack, to, amount) => {
  for (let attempt = 0; attempt < 3; attempt++) {
    const reference = randomUUID() // ← here
    const done = await paystack.transfer.create({ to, amount, reference })
    if (done.ok) return done
  }
}`,
      `const axios = require('axios')
exports.payOut = async (body, retries) => {
  while (retries-- > 0) {
    const idempotencyKey = crypto.randomUUID() // ← here
    const done = await axios.post('https://api.flutterwave.com/v3/transfers', body, { headers: { idempotencyKey } })
    if (done.status === 200) return done
  }
}`,
      `=== payout.py
import uuid, requests
def pay_out(body):
    for attempt in range(3):
        reference = str(uuid.uuid4())  # ← here
        reply = requests.post('https://api.paystack.co/transfer', json={**body, 'reference': reference})
        if reply.ok:
            return reply`,
    ],
    good: [
      `const { randomUUID } = require('crypto')
exports.payOut = async (paystack, to, amount) => {
  const reference = randomUUID()
  for (let attempt = 0; attempt < 3; attempt++) {
    const done = await paystack.transfer.create({ to, amount, reference })
    if (done.ok) return done
  }
}`,
      `const { randomUUID } = require('crypto')
exports.payAll = async (paystack, people) => {
  for (const person of people) {
    const reference = randomUUID()
    await paystack.transfer.create({ to: person, reference })
  }
}`,
      `=== payout.py
import uuid, requests
def pay_out(body):
    reference = str(uuid.uuid4())
    for attempt in range(3):
        reply = requests.post('https://api.paystack.co/transfer', json={**body, 'reference': reference})
        if reply.ok:
            return reply`,
    ],
  },
  {
    rule: 'SEC-FLW-HASH',
    bad: [
      `module.exports = (req, res, next) => {
  if (req.headers['verif-hash'] !== 'my-hash-2024') return res.sendStatus(401) // ← here
  next()
}`,
      `module.exports = (req, res, next) => {
  const signature = req.headers['verif-hash']
  if (signature !== 'shop-hash-9') return res.sendStatus(401) // ← here
  next()
}`,
      `=== hook.php
<?php
if ($_SERVER['HTTP_VERIF_HASH'] !== 'shop-hash-9') exit(); // ← here`,
    ],
    good: [
      `module.exports = (req, res, next) => {
  if (req.headers['verif-hash'] !== process.env.FLW_HASH) return res.sendStatus(401)
  next()
}`,
      `module.exports = (req, res, next) => {
  if (req.headers['verif-hash'] === '') return res.sendStatus(401)
  next()
}`,
      `module.exports = (req, res, next) => {
  if (req.headers['x-event'] !== 'charge.completed') return res.sendStatus(200)
  next()
}`,
    ],
  },
  {
    rule: 'FIN-KEY-01',
    bad: [
      `const key = process.env.NEXT_PUBLIC_PAYSTACK_SECRET_KEY`,
      `VITE_FLW_SECRET_KEY=abc`,
      `const key = import.meta.env.VITE_STRIPE_SECRET`,
    ],
    good: [
      `const key = process.env.NEXT_PUBLIC_PAYSTACK_PUBLIC_KEY`,
      `const key = process.env.PAYSTACK_SECRET_KEY`,
      `const name = process.env.REACT_APP_SECRETARY_NAME`,
    ],
  },
  {
    rule: 'FIN-NET-01',
    bad: [
      `const url = 'http://api.paystack.co/transaction/initialize'`,
      `BASE = "http://api.flutterwave.com/v3/payments"`,
      `$url = 'http://sandbox.safaricom.co.ke/mpesa/stkpush/v1/processrequest';`,
    ],
    good: [
      `const url = 'https://api.paystack.co/transaction/initialize'`,
      `const url = 'http://127.0.0.1:9000/transaction/initialize'`,
      `// see http://paystack.com/docs/api`,
    ],
  },
]

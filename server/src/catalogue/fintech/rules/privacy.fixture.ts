import type { Example } from '../../example.fixture.ts'

export const examples: readonly Example[] = [
  {
    rule: 'FIN-PII-01',
    bad: [
      `exports.charge = (card) => { console.log('charging', card.cardNumber, card.cvv) } // ← here`,
      `const logger = require('./logger')
exports.check = (bvn) => { logger.info(\`checking \${bvn}\`) } // ← here`,
      `=== kyc.py
import logging
def check(person):
    logging.info('checking %s', person.bvn)  # ← here`,
      `=== Kyc.java
class Kyc {
  void check(Person person) { System.out.println("nin " + person.nin); } // ← here
}`,
      `=== kyc.php
<?php
function check($person) { error_log('bvn ' . $person->bvn); } // ← here`,
    ],
    good: [
      `exports.charge = (card) => { console.log('charging', card.last4) }`,
      `const logger = require('./logger')
exports.check = (bvn) => { logger.info(\`checking \${mask(bvn)}\`) }`,
      `exports.check = (person) => { console.log('has a bvn', person.bvn !== undefined) }`,
      `exports.span = (pan, zoom) => { console.log(pan.x, zoom) }`,
    ],
  },
  {
    rule: 'FIN-PII-02',
    bad: [
      `const app = require('express')()
app.post('/payments/charge', (req, res) => {
  console.log(req.body) // ← here
  res.end()
})`,
      `exports.login = (req, res) => {
  console.log('login', req.body) // ← here
}`,
      `=== kyc.py
import logging
def submit_kyc(request):
    logging.info(request.data)  # ← here`,
    ],
    good: [
      `const app = require('express')()
app.post('/payments/charge', (req, res) => {
  console.log('charge', req.body.reference)
  res.end()
})`,
      `const app = require('express')()
app.post('/notes', (req, res) => {
  console.log(req.body)
  res.end()
})`,
      `exports.login = (req, res) => {
  if (process.env.NODE_ENV === 'development') console.log(req.body)
}`,
    ],
  },
  {
    rule: 'FIN-OTP-01',
    bad: [
      `exports.sendOtp = async (req, res) => {
  const otp = await makeOtp()
  await sms(req.body.phone, otp)
  res.json({ message: 'sent', otp }) // ← here
}`,
      `exports.forgot = async (req, res) => {
  const user = await User.findOne({ email: req.body.email })
  res.status(200).json({ otp: user.otp }) // ← here
}`,
      `=== views.py
from django.http import JsonResponse
def send(request):
    otp = make_otp()
    return JsonResponse({'otp': otp})  # ← here`,
    ],
    good: [
      `exports.sendOtp = async (req, res) => {
  const otp = await makeOtp()
  await sms(req.body.phone, otp)
  res.json({ message: 'sent' })
}`,
      `exports.sendOtp = async (req, res) => {
  const otp = await makeOtp()
  if (process.env.NODE_ENV !== 'production') return res.json({ otp })
  res.json({ message: 'sent' })
}`,
      `exports.status = (req, res) => res.json({ otp: 'required', otpSent: true })`,
    ],
  },
  {
    rule: 'FIN-PIN-01',
    bad: [
      `const app = require('express')()
app.post('/pin', async (req, res) => {
  await User.updateOne({ id: req.user.id }, { pin: req.body.pin }) // ← here
  res.end()
})`,
      `const app = require('express')()
app.post('/wallets', async (req, res) => {
  const { transactionPin } = req.body
  await Wallet.create({ owner: req.user.id, transactionPin }) // ← here
  res.end()
})`,
      `const app = require('express')()
app.put('/pin', async (req, res) => {
  await prisma.wallet.update({ pin: req.body.newPin }) // ← here
  res.end()
})`,
    ],
    good: [
      `const app = require('express')()
app.post('/pin', async (req, res) => {
  const pin = await bcrypt.hash(req.body.pin, 12)
  await User.updateOne({ id: req.user.id }, { pin })
  res.end()
})`,
      `const app = require('express')()
app.post('/boards', async (req, res) => {
  await Board.create({ title: req.body.title, pinned: req.body.pinned })
  res.end()
})`,
      `exports.reset = (wallet) => Wallet.updateOne({ id: wallet.id }, { pin: null })`,
    ],
  },
]

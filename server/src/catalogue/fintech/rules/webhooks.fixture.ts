import type { Example } from '../../example.fixture.ts'

export const examples: readonly Example[] = [
  {
    rule: 'FIN-HOOK-01',
    bad: [
      `const express = require('express')
const app = express()
app.post('/webhooks/paystack', async (req, res) => { // ← here
  const event = req.body
  if (event.event === 'charge.success') {
    await Order.updateOne({ reference: event.data.reference }, { status: 'paid' })
  }
  res.sendStatus(200)
})`,
      `import { Router } from 'express'
const router = Router()
router.post('/flutterwave/webhook', async (req, res) => { // ← here
  const { data } = req.body
  const wallet = await Wallet.findOne({ user: data.meta.user })
  await wallet.increment('balance', { by: data.amount })
  res.end()
})`,
      `=== app/Http/Controllers/PaystackWebhookController.php
<?php
class PaystackWebhookController extends Controller {
  public function handleWebhook(Request $request) { // ← here
    $payload = $request->all();
    if ($payload['event'] === 'charge.success') {
      Payment::create(['reference' => $payload['data']['reference']]);
    }
    return response('ok');
  }
}`,
      `=== payments/views.py
import json
from django.http import HttpResponse

def paystack_webhook(request):  # ← here
    payload = json.loads(request.body)
    if payload['event'] == 'charge.success':
        order = Order.objects.get(reference=payload['data']['reference'])
        order.status = 'paid'
        order.save()
    return HttpResponse(status=200)`,
    ],
    good: [
      `const crypto = require('crypto')
const app = require('express')()
app.post('/webhooks/paystack', async (req, res) => {
  const hash = crypto.createHmac('sha512', process.env.SECRET).update(req.rawBody).digest('hex')
  const given = String(req.headers['x-paystack-signature'])
  if (given.length !== hash.length || !crypto.timingSafeEqual(Buffer.from(hash), Buffer.from(given))) return res.sendStatus(401)
  if (req.body.event === 'charge.success') await Order.updateOne({ reference: req.body.data.reference }, { status: 'paid' })
  res.sendStatus(200)
})`,
      `const app = require('express')()
app.post('/webhooks/paystack', async (req, res) => {
  const checked = await paystack.verifyTransaction(req.body.data.reference)
  if (checked.status === 'success') await Order.updateOne({ reference: checked.reference }, { status: 'paid' })
  res.sendStatus(200)
})`,
      `const app = require('express')()
app.post('/orders', async (req, res) => {
  await Order.create({ items: req.body.items })
  res.sendStatus(201)
})`,
      `const app = require('express')()
app.post('/paystack/callback', (req, res) => {
  console.log('seen')
  res.redirect('/orders')
})`,
    ],
  },
  {
    rule: 'FIN-HOOK-02',
    bad: [
      `const crypto = require('crypto')
module.exports = (req, res, next) => {
  const secret = process.env.WEBHOOK_SECRET
  if (secret) { // ← here
    const hash = crypto.createHmac('sha512', secret).update(req.rawBody).digest('hex')
    if (hash !== req.headers['x-paystack-signature']) return res.sendStatus(401)
  }
  next()
}`,
      `import { createHmac } from 'node:crypto'
export function checkWebhook(request, body) {
  if (process.env.PAYSTACK_SECRET_KEY) { // ← here
    const signature = createHmac('sha512', process.env.PAYSTACK_SECRET_KEY).update(body).digest('hex')
    if (signature !== request.headers.get('x-paystack-signature')) throw new Error('signature')
  }
}`,
      `=== hooks.py
import hmac, hashlib
def check_signature(body, header, webhook_secret):
    if webhook_secret:  # ← here
        expected = hmac.new(webhook_secret, body, hashlib.sha512).hexdigest()
        if not hmac.compare_digest(expected, header):
            raise PermissionError`,
    ],
    good: [
      `const crypto = require('crypto')
module.exports = (req, res, next) => {
  const secret = process.env.WEBHOOK_SECRET
  if (!secret) return res.sendStatus(503)
  const hash = crypto.createHmac('sha512', secret).update(req.rawBody).digest('hex')
  if (hash !== req.headers['x-paystack-signature']) return res.sendStatus(401)
  next()
}`,
      `const crypto = require('crypto')
module.exports = (req, res, next) => {
  if (req.path.startsWith('/webhooks')) {
    const signature = crypto.createHmac('sha512', process.env.WEBHOOK_SECRET).update(req.rawBody).digest('hex')
    if (signature !== req.headers['x-paystack-signature']) return res.sendStatus(401)
  }
  next()
}`,
      `const crypto = require('crypto')
exports.sign = (body, secret) => {
  if (!secret) throw new Error('no webhook secret')
  return crypto.createHmac('sha256', secret).update(body).digest('hex')
}`,
    ],
  },
  {
    rule: 'FIN-HOOK-03',
    bad: [
      `const crypto = require('crypto')
module.exports = (req, res, next) => {
  const hash = crypto.createHmac('sha512', process.env.KEY).update(JSON.stringify(req.body)).digest('hex') // ← here
  if (hash !== req.headers['x-paystack-signature']) return res.sendStatus(401)
  next()
}`,
      `import crypto from 'crypto'
export const isSigned = (req) => {
  const hmac = crypto.createHmac('sha256', process.env.KEY)
  hmac.update(JSON.stringify(req.body)) // ← here
  return req.headers['x-signature'] === hmac.digest('hex')
}`,
      `=== hooks.py
import hmac, hashlib, json
def paystack(request):
    expected = hmac.new(KEY, json.dumps(request.data).encode(), hashlib.sha512).hexdigest()  # ← here
    if expected != request.headers['x-paystack-signature']:
        raise PermissionError`,
    ],
    good: [
      `const crypto = require('crypto')
module.exports = (req, res, next) => {
  const hash = crypto.createHmac('sha512', process.env.KEY).update(req.rawBody).digest('hex')
  if (hash !== req.headers['x-paystack-signature']) return res.sendStatus(401)
  next()
}`,
      `const crypto = require('crypto')
exports.send = (order) => {
  const signature = crypto.createHmac('sha256', process.env.KEY).update(JSON.stringify(order)).digest('hex')
  return fetch(process.env.URL, { method: 'POST', headers: { signature }, body: JSON.stringify(order) })
}`,
      `=== hooks.py
import hmac, hashlib
def paystack(request):
    expected = hmac.new(KEY, request.body, hashlib.sha512).hexdigest()
    if not hmac.compare_digest(expected, request.headers['x-paystack-signature']):
        raise PermissionError`,
    ],
  },
  {
    rule: 'FIN-HOOK-04',
    bad: [
      `=== hook.php
<?php
$signature = $_SERVER['HTTP_X_PAYSTACK_SIGNATURE'];
if ($signature !== hash_hmac('sha512', file_get_contents('php://input'), SECRET)) exit(); // ← here`,
      `=== hook.php
<?php
$input = file_get_contents('php://input');
$expected = hash_hmac('sha512', $input, getenv('KEY'));
if ($expected == $_SERVER['HTTP_X_PAYSTACK_SIGNATURE']) { credit($input); } // ← here`,
      `=== hooks.py
import hmac, hashlib
def paystack(request):
    expected = hmac.new(KEY, request.body, hashlib.sha512).hexdigest()
    if expected != request.headers['x-paystack-signature']:  # ← here
        raise PermissionError`,
    ],
    good: [
      `=== hook.php
<?php
$expected = hash_hmac('sha512', file_get_contents('php://input'), getenv('KEY'));
if (!hash_equals($expected, $_SERVER['HTTP_X_PAYSTACK_SIGNATURE'])) exit();`,
      `=== hooks.py
import hmac, hashlib
def paystack(request):
    expected = hmac.new(KEY, request.body, hashlib.sha512).hexdigest()
    if not hmac.compare_digest(expected, request.headers['x-paystack-signature']):
        raise PermissionError`,
      `=== hook.php
<?php
$expected = hash_hmac('sha512', $input, getenv('KEY'));
if ($expected === null) exit();`,
    ],
  },
  {
    rule: 'FIN-HOOK-06',
    bad: [
      `const app = require('express')()
app.post('/webhooks/paystack', checkSignature, async (req, res) => {
  const { data } = req.body
  const wallet = await Wallet.findById(data.metadata.wallet)
  await wallet.increment('balance', { by: data.amount }) // ← here
  res.sendStatus(200)
})`,
      `export async function paystackWebhook(req, res) {
  const { data } = req.body
  await User.updateOne({ email: data.customer.email }, { $inc: { balance: data.amount } }) // ← here
  res.end()
}`,
      `=== app/PaystackWebhook.php
<?php
class PaystackWebhook {
  public function handle(Request $request) {
    $payload = $request->all();
    $wallet = Wallet::find($payload['data']['metadata']['wallet']);
    $wallet->increment('balance', $payload['data']['amount']); // ← here
  }
}`,
    ],
    good: [
      `const { creditWallet } = require('../wallet')
const app = require('express')()
app.post('/webhooks/paystack', checkSignature, async (req, res) => {
  const event = req.body
  await creditWallet(event.data.customer.email, event.data.amount, event.data.reference)
  res.sendStatus(200)
})`,
      `const app = require('express')()
app.post('/webhooks/paystack', checkSignature, async (req, res) => {
  const { data } = req.body
  const seen = await Payment.findOne({ reference: data.reference })
  if (seen) return res.sendStatus(200)
  await Wallet.updateOne({ id: data.metadata.wallet }, { $inc: { balance: data.amount } })
  res.sendStatus(200)
})`,
      `export async function paystackWebhook(req, res) {
  const { data } = req.body
  const changed = await Topup.updateOne({ reference: data.reference, status: 'pending' }, { status: 'paid' })
  if (changed.modifiedCount === 1) await Wallet.updateOne({ id: data.wallet }, { $inc: { balance: data.amount } })
  res.end()
}`,
      `export async function creditWallet(wallet, amount) {
  await wallet.increment('balance', { by: amount })
}`,
    ],
  },
]

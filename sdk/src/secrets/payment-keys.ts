// Printed from analysis/secret-formats/payment-keys.ts by `npm run print`; do not edit.
// Keys of payment and identity providers, starting with the markets of this service.
import { isRandom, type SecretPattern } from './format.ts'
import { ALNUM, TOKEN_BITS, token } from './tokens.ts'

const isHex = (text: string): boolean => /^[0-9a-f]+$/.test(text)

export const PAYMENT_KEYS: readonly SecretPattern[] = [
  {
    id: 'paystack-live',
    title: 'Paystack live secret key',
    rule: 'SEC-PAYSTACK-LIVE',
    pattern: /\b(?<secret>sk_live_[0-9a-f]{40})\b/g,
    words: ['sk_live_'],
    isReal: (secret) => isRandom(secret.slice(8), 3),
  },
  {
    id: 'paystack-test',
    title: 'Paystack test secret key',
    rule: 'SEC-PAYSTACK-TEST',
    pattern: /\b(?<secret>sk_test_[0-9a-f]{40})\b/g,
    words: ['sk_test_'],
    isReal: (secret) => isRandom(secret.slice(8), 3),
  },
  {
    id: 'flutterwave-live',
    title: 'Flutterwave live secret key',
    rule: 'SEC-FLW-LIVE',
    prefix: 'FLWSECK-',
    pattern: /\b(?<secret>FLWSECK-[0-9a-zA-Z]{32}(?:-[0-9a-zA-Z]{11,13})?-X)\b/g,
    words: ['flwseck-'],
    isReal: (secret) => isRandom(secret.slice(8, 40), 3),
  },
  {
    id: 'flutterwave-test',
    title: 'Flutterwave test secret key',
    rule: 'SEC-FLW-TEST',
    prefix: 'FLWSECK_TEST-',
    pattern: /\b(?<secret>FLWSECK_TEST-[0-9a-zA-Z]{12,40}(?:-X)?)(?![0-9a-zA-Z-])/g,
    words: ['flwseck_test-'],
    isReal: (secret) => isRandom(secret.slice(13).replace(/-X$/, ''), 2.2),
  },
  {
    id: 'stripe-live',
    title: 'live payment key (Stripe, Korapay and others)',
    rule: 'SEC-STRIPE',
    prefix: '[sr]k_live_',
    pattern: /\b(?<secret>[sr]k_live_[0-9A-Za-z]{24,})\b/g,
    words: ['k_live_'],
    // 40 lower-case hexadecimal digits are a Paystack key.
    isReal: (secret) =>
      !(secret.startsWith('sk') && secret.length === 48 && isHex(secret.slice(8))) &&
      isRandom(secret.slice(8), TOKEN_BITS),
  },
  token([
    'stripe-test',
    'test payment key',
    '[sr]k_test_',
    `${ALNUM}{24,250}`,
    { rule: null, words: ['k_test_'] },
  ]),
  token(['webhook-secret', 'webhook signing secret', 'whsec_', '[0-9A-Za-z+/]{24,88}={0,2}', { rule: null }]),
  token(['square', 'Square secret', 'sq0csp-|sq0atp-', '[\\w-]{22,43}', { words: ['sq0'] }]),
  token([
    'razorpay',
    'Razorpay key',
    'rzp_(?:live|test)_',
    `${ALNUM}{14,40}`,
    { rule: null, words: ['rzp_'] },
  ]),
  {
    id: 'market-gateway',
    title: 'key of a payment, identity or messaging provider',
    rule: 'SEC-NG-GW',
    pattern:
      /\b(?:MONNIFY|INTERSWITCH|MONO|OKRA|SQUAD|REMITA|KORAPAY|KORA|DOJAH|SMILE(?:_?ID)?|PREMBLY|TERMII|MPESA|DARAJA|OPAY|PALMPAY|PAYSTACK|FLUTTERWAVE|FLW)_?\w{0,30}?(?:SECRET|PRIVATE|PASSKEY|CONSUMER|API)\w{0,30}["']?\s{0,4}(?::=|=>|[:=])\s{0,4}["'`](?<secret>[^"'`\s${}<>]{16,200})["'`]/gi,
    words: ['secret', 'private', 'passkey', 'consumer', 'api'],
    isReal: (secret) =>
      /\d/.test(secret) && isRandom(secret, TOKEN_BITS) && !/^https?:|^\w+\.\w+\.\w+$|[/.]\w+$/i.test(secret),
  },
  {
    // The same names in a settings file, without quotes.
    id: 'market-gateway-unquoted',
    title: 'key of a payment, identity or messaging provider',
    pattern:
      /\b(?:MONNIFY|INTERSWITCH|MONO|OKRA|SQUAD|REMITA|KORAPAY|KORA|DOJAH|SMILE(?:_?ID)?|PREMBLY|TERMII|MPESA|DARAJA|OPAY|PALMPAY|MOMO|PESAPAL|AFRICASTALKING|AT)_\w{0,30}?(?:SECRET|PRIVATE|PASSKEY|CONSUMER|API|KEY)\w{0,30}[ \t]{0,4}[:=][ \t]{0,4}(?<secret>[0-9A-Za-z_+/=-]{16,200})(?![\w.([+/=-])/g,
    words: ['secret', 'private', 'passkey', 'consumer', 'api', 'key'],
    isReal: (secret) => /\d/.test(secret) && /[a-z]/i.test(secret) && isRandom(secret, TOKEN_BITS),
  },
]

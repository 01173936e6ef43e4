// Secrets of every format, drawn when a test runs: no file of the repository contains anything that looks like one.
import { createHash } from 'node:crypto'

const LOWER = 'abcdefghijklmnopqrstuvwxyz'
const DIGITS = '0123456789'
const ALPHABETS = {
  hex: `${DIGITS}abcdef`,
  base32: `${LOWER.toUpperCase()}234567`,
  letters: LOWER + LOWER.toUpperCase(),
  upper: DIGITS + LOWER.toUpperCase(),
  alnum: DIGITS + LOWER + LOWER.toUpperCase(),
  base64: `${DIGITS}${LOWER}${LOWER.toUpperCase()}+/`,
  digits: DIGITS,
}
type Alphabet = keyof typeof ALPHABETS

/** The same seed draws the same characters. */
function drawn(seed: string, alphabet: Alphabet, length: number): string {
  const characters = ALPHABETS[alphabet]
  let text = ''
  for (let block = 0; text.length < length; block++)
    for (const byte of createHash('sha512').update(`${seed} ${block}`).digest())
      if (byte < 256 - (256 % characters.length)) text += characters[byte % characters.length]
  return text.slice(0, length)
}

type Draw = (alphabet: Alphabet, length: number) => string

/** By pattern id: a text with the secret in it, written apart where a scanner of this repository would see it. */
const FORMATS: Readonly<Record<string, (draw: Draw) => { text: string; secret: string }>> = {
  'paystack-live': (draw) => alone(`sk_${'live'}_${draw('hex', 40)}`),
  'paystack-test': (draw) => alone(`sk_${'test'}_${draw('hex', 40)}`),
  'flutterwave-live': (draw) => alone(`FLWSECK-${draw('hex', 32)}-X`),
  'flutterwave-test': (draw) => alone(`FLWSECK_TEST-${draw('hex', 32)}-X`),
  'stripe-live': (draw) => alone(`rk_${'live'}_${draw('alnum', 32)}`),
  'stripe-test': (draw) => alone(`sk_${'test'}_${draw('alnum', 32)}`),
  'webhook-secret': (draw) => alone(`whsec_${draw('base64', 43)}=`),
  square: (draw) => alone(`sq0csp-${draw('alnum', 43)}`),
  razorpay: (draw) => alone(`rzp_live_${draw('alnum', 20)}`),
  'market-gateway': (draw) => within('DARAJA_CONSUMER_SECRET = "', draw('alnum', 48), '"'),
  'market-gateway-unquoted': (draw) => within('MPESA_CONSUMER_KEY=', draw('alnum', 32)),
  'africas-talking': (draw) => alone(`atsk_${draw('hex', 64)}`),
  'aws-key-id': (draw) => alone(`AKIA${draw('base32', 16)}`),
  'google-api': (draw) => alone(`AIza${draw('alnum', 35)}`),
  github: (draw) => alone(`ghp_${draw('alnum', 36)}`),
  gitlab: (draw) => alone(`glpat-${draw('alnum', 20)}`),
  npm: (draw) => alone(`npm_${draw('alnum', 36)}`),
  pypi: (draw) => alone(`pypi-AgEIcHlwaS5vcmc${draw('alnum', 90)}`),
  rubygems: (draw) => alone(`rubygems_${draw('hex', 48)}`),
  docker: (draw) => alone(`dckr_pat_${draw('alnum', 27)}`),
  slack: (draw) => alone(`xoxb-${draw('digits', 12)}-${draw('digits', 12)}-${draw('alnum', 24)}`),
  'slack-app': (draw) => alone(`xapp-1-A${draw('upper', 10)}-${draw('digits', 13)}-${draw('hex', 64)}`),
  sendgrid: (draw) => alone(`SG.${draw('alnum', 22)}.${draw('alnum', 43)}`),
  brevo: (draw) => alone(`xkeysib-${draw('hex', 64)}-${draw('alnum', 16)}`),
  resend: (draw) => alone(`re_${draw('alnum', 8)}_${draw('alnum', 24)}`),
  mailgun: (draw) => alone(`key-${draw('hex', 32)}`),
  anthropic: (draw) => alone(`sk-ant-api03-${draw('alnum', 93)}AA`),
  openai: (draw) => alone(`sk-${draw('alnum', 20)}T3BlbkFJ${draw('alnum', 20)}`),
  'openai-project': (draw) => alone(`sk-proj-${draw('alnum', 120)}`),
  openrouter: (draw) => alone(`sk-or-v1-${draw('hex', 64)}`),
  'model-provider': (draw) => alone(`sk-${draw('alnum', 48)}`),
  groq: (draw) => alone(`gsk_${draw('alnum', 52)}`),
  xai: (draw) => alone(`xai-${draw('alnum', 80)}`),
  perplexity: (draw) => alone(`pplx-${draw('alnum', 48)}`),
  replicate: (draw) => alone(`r8_${draw('alnum', 37)}`),
  'hugging-face': (draw) => alone(`hf_${draw('letters', 34)}`),
  digitalocean: (draw) => alone(`dop_v1_${draw('hex', 64)}`),
  heroku: (draw) => alone(`HRKU-AA${draw('alnum', 58)}`),
  shopify: (draw) => alone(`shpat_${draw('hex', 32)}`),
  telegram: (draw) => alone(`7${draw('digits', 9)}:AA${draw('alnum', 33)}`),
  discord: (draw) => alone(`M${draw('alnum', 25)}.${draw('alnum', 6)}.${draw('alnum', 38)}`),
  cowrie: (draw) => alone(`csk_${draw('alnum', 8)}_${draw('alnum', 38)}`),
  'google-oauth': (draw) => alone(`GOCSPX-${draw('alnum', 28)}`),
  'google-access': (draw) => alone(`ya29.${draw('alnum', 120)}`),
  vault: (draw) => alone(`hvs.${draw('alnum', 90)}`),
  databricks: (draw) => alone(`dapi${draw('hex', 32)}`),
  linear: (draw) => alone(`lin_api_${draw('alnum', 40)}`),
  notion: (draw) => alone(`ntn_${draw('alnum', 46)}`),
  atlassian: (draw) => alone(`ATATT3${draw('alnum', 180)}`),
  'new-relic': (draw) => alone(`NRAK-${draw('upper', 27)}`),
  grafana: (draw) => alone(`glsa_${draw('alnum', 32)}_${draw('hex', 8)}`),
  doppler: (draw) => alone(`dp.pt.${draw('alnum', 43)}`),
  supabase: (draw) => alone(`sbp_${draw('hex', 40)}`),
  netlify: (draw) => alone(`nfp_${draw('alnum', 40)}`),
  figma: (draw) => alone(`figd_${draw('alnum', 40)}`),
  tailscale: (draw) => alone(`tskey-auth-${draw('alnum', 40)}`),
  postman: (draw) => alone(`PMAK-${draw('hex', 24)}-${draw('hex', 34)}`),
  age: (draw) => alone(`AGE-SECRET-KEY-1${draw('upper', 58)}`),
  'twilio-key': (draw) => alone(`SK${draw('hex', 32)}`),
  'azure-storage': (draw) => within('AccountName=shop;AccountKey=', `${draw('base64', 86)}==`, ';'),
  'azure-access': (draw) => within('SharedAccessKeyName=all;SharedAccessKey=', `${draw('base64', 43)}=`),
  'azure-client': (draw) => alone(`${draw('alnum', 3)}8Q~${draw('alnum', 34)}`),
  twilio: (draw) => within('TWILIO_AUTH_TOKEN=', draw('hex', 32)),
  'heroku-uuid': (draw) => within('HEROKU_API_KEY=', uuid(draw)),
  termii: (draw) => within('termii key ', `TL${draw('alnum', 58)}`),
  mailchimp: (draw) => alone(`${draw('hex', 32)}-us21`),
  'slack-webhook': (draw) =>
    within(
      'https://hooks.slack.com/services/',
      `T${draw('upper', 10)}/B${draw('upper', 10)}/${draw('alnum', 24)}`,
    ),
  'discord-webhook': (draw) =>
    within(`https://discord.com/api/webhooks/${draw('digits', 18)}/`, draw('alnum', 68)),
  'private-key': (draw) =>
    within(`-----BEGIN ${'PRIVATE'} KEY-----`, body(draw), '-----END PRIVATE KEY-----'),
  'private-key-part': (draw) => within(`-----BEGIN OPENSSH ${'PRIVATE'} KEY-----\n`, body(draw).trim()),
  'database-address': (draw) => within('postgres://shop:', draw('alnum', 16), '@db.shop.io:5432/shop'),
  address: (draw) => within('redis://:', draw('alnum', 20), '@cache:6379'),
  'connection-string': (draw) => within('Server=db;User Id=sa;Password=', draw('alnum', 14), ';'),
  jwt: (draw) => alone(`eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIx${draw('alnum', 60)}.${draw('alnum', 43)}`),
  'named-value': (draw) => within('const clientSecret = "', draw('alnum', 40), '"'),
  'named-line': (draw) => within('aws_secret_access_key = ', draw('base64', 40)),
  'named-hex': (draw) => within('JWT_SECRET=', draw('hex', 64)),
  'named-password': (draw) => within('DB_PASSWORD=', `${draw('alnum', 9)}7!`),
  'quoted-password': (draw) => within('"db_password": "', `${draw('alnum', 9)}7!`, '"'),
}

const alone = (secret: string) => ({ text: secret, secret })
const within = (before: string, secret: string, after = '') => ({ text: before + secret + after, secret })
const body = (draw: Draw) => `\n${[0, 1, 2, 3].map(() => draw('base64', 64)).join('\n')}\n`
const uuid = (draw: Draw) => [8, 4, 4, 4, 12].map((length, i) => draw('hex', length + i).slice(i)).join('-')

export const FORMAT_IDS: readonly string[] = Object.keys(FORMATS)

/** A secret of a format, and a text that shows it to be one. Another number draws another. */
export function planted(id: string, number = 0): { text: string; secret: string } {
  let calls = 0
  const draw: Draw = (alphabet, length) => drawn(`${id} ${number} ${calls++}`, alphabet, length)
  const make = FORMATS[id]
  if (!make) throw new Error(`no secret of the format ${id} is drawn`)
  return make(draw)
}

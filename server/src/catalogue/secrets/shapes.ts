// What secrets look like. Each shape names the part that is secret and says when something of that shape is none: an example,
// a placeholder, a variable to be filled in.
import type { Confidence, Severity } from '../rule.ts'
import { entropyOf, isPlaceholder } from './plausible.ts'

export type SecretShape = {
  readonly id: string
  readonly title: string
  readonly severity: Severity
  readonly confidence: Confidence
  /** Global and sticky-free; the group `secret` is what must not be known. */
  readonly pattern: RegExp
  /** Words of which one has to be in a text, in small letters, before the pattern is tried. */
  readonly words: readonly string[]
  readonly isReal: (secret: string, match: RegExpExecArray) => boolean
  readonly whose: string
  /** Reported in tests and examples as well: it opens something real. */
  readonly isLive: boolean
}

/** Enough different characters to be drawn by lot, and nothing that is written in its stead. */
const drawnByLot =
  (entropy: number) =>
  (secret: string): boolean =>
    entropyOf(secret) >= entropy && !isPlaceholder(secret)

const isHex = (text: string): boolean => /^[0-9a-f]+$/.test(text)

const live = { severity: 'error', confidence: 'high', isLive: true } as const
const likely = { severity: 'warn', confidence: 'medium', isLive: false } as const

export const SECRET_SHAPES: readonly SecretShape[] = [
  {
    ...live,
    id: 'SEC-PAYSTACK-LIVE',
    title: 'Live Paystack secret key',
    whose: 'your Paystack account: charges, transfers and customers',
    pattern: /\b(?<secret>sk_live_[0-9a-f]{40})\b/g,
    words: ['sk_live_'],
    isReal: (secret) => drawnByLot(3)(secret.slice(8)),
  },
  {
    ...live,
    id: 'SEC-PAYSTACK-TEST',
    title: 'Paystack test key in the source',
    severity: 'warn',
    isLive: false,
    whose: 'your Paystack test account, and a place where the live key will land next',
    pattern: /\b(?<secret>sk_test_[0-9a-f]{40})\b/g,
    words: ['sk_test_'],
    isReal: (secret) => drawnByLot(3)(secret.slice(8)),
  },
  {
    ...live,
    id: 'SEC-FLW-LIVE',
    title: 'Live Flutterwave secret key',
    whose: 'your Flutterwave account: charges, payouts and customers',
    pattern: /\b(?<secret>FLWSECK-[0-9a-zA-Z]{32}(?:-[0-9a-zA-Z]{11,13})?-X)\b/g,
    words: ['flwseck-'],
    isReal: (secret) => drawnByLot(3)(secret.slice(8, 40)),
  },
  {
    ...live,
    id: 'SEC-FLW-TEST',
    title: 'Flutterwave test key in the source',
    severity: 'warn',
    isLive: false,
    whose: 'your Flutterwave test account, and a place where the live key will land next',
    pattern: /\b(?<secret>FLWSECK_TEST-[0-9a-zA-Z]{12,40}(?:-X)?)(?![0-9a-zA-Z-])/g,
    words: ['flwseck_test-'],
    isReal: (secret) => drawnByLot(2.8)(secret.slice(13).replace(/-X$/, '')),
  },
  {
    ...live,
    id: 'SEC-STRIPE',
    title: 'Live payment key',
    whose: 'the payment account it belongs to (Stripe, Korapay and others write keys like this)',
    pattern: /\b(?<secret>[sr]k_live_[0-9A-Za-z]{24,})\b/g,
    words: ['k_live_'],
    // Forty small hexadecimal digits are Paystack's.
    isReal: (secret) =>
      !(secret.startsWith('sk') && secret.length === 48 && isHex(secret.slice(8))) &&
      drawnByLot(3.2)(secret.slice(8)),
  },
  {
    ...likely,
    id: 'SEC-NG-GW',
    title: 'Key of a payment or identity provider in the source',
    whose: 'your account with that provider',
    pattern:
      /\b(?:MONNIFY|INTERSWITCH|MONO|OKRA|SQUAD|REMITA|KORAPAY|KORA|DOJAH|SMILE(?:_?ID)?|PREMBLY|TERMII|MPESA|DARAJA|OPAY|PALMPAY|PAYSTACK|FLUTTERWAVE|FLW)_?\w{0,30}?(?:SECRET|PRIVATE|PASSKEY|CONSUMER|API)\w{0,30}["']?\s{0,4}(?::=|=>|[:=])\s{0,4}["'`](?<secret>[^"'`\s${}<>]{16,200})["'`]/gi,
    words: ['secret', 'private', 'passkey', 'consumer', 'api'],
    isReal: (secret) =>
      /\d/.test(secret) && drawnByLot(3.2)(secret) && !/^https?:|^\w+\.\w+\.\w+$|[/.]\w+$/i.test(secret),
  },
  {
    ...live,
    id: 'SEC-AFRICASTALKING',
    title: 'Africa’s Talking key',
    whose: 'your Africa’s Talking account: messages and airtime',
    pattern: /\b(?<secret>atsk_[0-9a-f]{60,80})\b/g,
    words: ['atsk_'],
    isReal: (secret) => drawnByLot(3)(secret.slice(5)),
  },
  {
    ...live,
    id: 'SEC-AWS',
    title: 'AWS access key',
    whose: 'the AWS account it belongs to',
    pattern: /(?<![A-Z0-9])(?<secret>(?:AKIA|ASIA)[A-Z2-7]{16})(?![A-Z0-9])/g,
    words: ['akia', 'asia'],
    isReal: (secret) => !/EXAMPLE/.test(secret) && drawnByLot(2.9)(secret.slice(4)),
  },
  {
    ...likely,
    id: 'SEC-GCP',
    title: 'Google API key',
    whose: 'the Google project it belongs to; harmless only where it is restricted to what a browser may do',
    pattern: /(?<![\w-])(?<secret>AIza[0-9A-Za-z_-]{35})(?![\w-])/g,
    words: ['aiza'],
    isReal: (secret) => drawnByLot(3.5)(secret.slice(4)),
  },
  {
    ...live,
    id: 'SEC-GITHUB',
    title: 'GitHub token',
    whose: 'the repositories of whoever made it',
    pattern:
      /(?<![\w-])(?<secret>gh[pousr]_[0-9A-Za-z]{36}|github_pat_[0-9A-Za-z]{22}_[0-9A-Za-z]{59})(?![\w-])/g,
    words: ['ghp_', 'gho_', 'ghu_', 'ghs_', 'ghr_', 'github_pat_'],
    isReal: (secret) => drawnByLot(3.5)(secret.slice(secret.startsWith('gh') ? 4 : 11)),
  },
  {
    ...live,
    id: 'SEC-TOKEN',
    title: 'Token of a service',
    whose: 'the account it belongs to',
    pattern:
      /(?<![\w-])(?<secret>glpat-[\w-]{20}|npm_[0-9A-Za-z]{36}|xox[bpars]-[0-9]{8,}-[0-9A-Za-z-]{20,}|SG\.[\w-]{22}\.[\w-]{43}|sk-ant-[\w-]{40,}|sk-(?:proj-)?[\w-]{20,}T3BlbkFJ[\w-]{20,}|hf_[A-Za-z]{34}|dop_v1_[0-9a-f]{64}|shp(?:at|ca|pa|ss)_[0-9a-fA-F]{32}|\d{8,10}:AA[\w-]{33}|csk_[0-9A-Za-z]{6,}_[0-9A-Za-z]{32,})(?![\w-])/g,
    words: ['glpat-', 'npm_', 'xox', 'sg.', 'sk-', 'hf_', 'dop_v1_', 'shp', ':aa', 'csk_'],
    isReal: (secret) => drawnByLot(3.2)(secret.slice(secret.search(/[-_.:]/) + 1)),
  },
  {
    ...live,
    id: 'SEC-AZURE',
    title: 'Azure storage key',
    whose: 'the storage account it belongs to',
    pattern: /AccountKey=(?<secret>[0-9A-Za-z+/]{86}==)/g,
    words: ['accountkey='],
    // The emulator's key is the same for everybody and known to all.
    isReal: (secret) =>
      !secret.startsWith('Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq') &&
      drawnByLot(4)(secret),
  },
  {
    ...live,
    id: 'SEC-PEM',
    title: 'Private key in the source',
    whose: 'whatever trusts the key: servers, tokens, signatures',
    pattern:
      /-----BEGIN (?:RSA |EC |DSA |OPENSSH |PGP )?PRIVATE KEY(?: BLOCK)?-----(?<secret>(?:\\n|\\r|["'+,\s]|[0-9A-Za-z+/=:-]){100,6000}?)-----END/g,
    words: ['private key'],
    isReal: (secret) => drawnByLot(4)(secret.replace(/\\n|[^0-9A-Za-z+/]/g, '')),
    isLive: false,
  },
  {
    ...live,
    id: 'SEC-DBURL',
    title: 'Password in an address',
    severity: 'warn',
    isLive: false,
    whose: 'the server of that address',
    pattern:
      /\b(?:postgres(?:ql)?|mysql|mariadb|mongodb(?:\+srv)?|rediss?|amqps?|mssql|sqlserver):\/\/[^\s:/@"'`<>{}$%]{1,80}:(?<secret>[^\s@"'`<>{}$%*]{6,200})@(?<host>[\w.-]+)/g,
    words: ['://'],
    isReal: (secret, { groups }) =>
      !isPlaceholder(secret) && !WELL_KNOWN.test(secret) && !NOT_OUTSIDE.test(groups?.host ?? ''),
  },
  {
    ...likely,
    id: 'SEC-GENERIC',
    title: 'Something that looks like a secret',
    severity: 'note',
    whose: 'whatever it opens',
    pattern:
      /(?<![\w-])[\w.-]{0,40}?(?:secret|token|passwd|password|api_?key|apikey|access_?key|private_?key|client_?secret)\w{0,20}["']?\s{0,4}(?::=|=>|[:=])\s{0,4}["'`](?<secret>[0-9A-Za-z_+/=.-]{20,200})["'`]/gi,
    words: ['secret', 'token', 'passw', 'key'],
    isReal: (secret) =>
      /\d/.test(secret) && /[a-z]/i.test(secret) && !LOOKS_ORDINARY.test(secret) && drawnByLot(3.8)(secret),
  },
]

/** This machine, names of a private network, and names that stand for any. */
const NOT_OUTSIDE =
  /^(localhost|127\.|0\.0\.0\.0)|^[\w-]+$|\.(example|test|invalid|local|internal)$|(^|\.)example\.(com|org|net)$/i
const WELL_KNOWN =
  /^(password|passw0rd|postgres|secret|admin|root|changeme|mysecretpassword|test|pass|user|guest)\d*$/i

/** Hashes, identifiers, versions, addresses, words with dashes, file names. */
const LOOKS_ORDINARY =
  /^[0-9a-f]{32}$|^[0-9a-f]{40}$|^[0-9a-f]{64}$|^[0-9a-f]{8}-[0-9a-f]{4}-|^sha\d+-|^https?|^\d+(\.\d+)+|^[a-z]+([-_.][a-z]+)+\d*$|^[A-Z]+(_[A-Z]+)+\d*$|\.(js|ts|json|py|go|php|java|pem|key|ya?ml|html)$|^[A-Z]?[a-z]+([A-Z][a-z]+)+\d*$/

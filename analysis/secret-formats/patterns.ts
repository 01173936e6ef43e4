// Secret formats: one table for the agent, the index, the review rules, logs, the CLI and the web app. `npm
// run print` copies this folder into the SDK, so it imports nothing else and uses only what Node.js 20 and
// browsers support. All patterns run in linear time: each starts with a rare literal or a boundary, and
// repeats only bounded or disjoint classes.
import { entropyOf, isPlaceholder, isRandom, random, type SecretPattern } from './format.ts'
import { PAYMENT_KEYS } from './payment-keys.ts'
import { PROVIDER_TOKENS, TOKEN_BITS } from './tokens.ts'

const SERVICES: readonly SecretPattern[] = [
  {
    id: 'azure-storage',
    title: 'Azure storage key',
    rule: 'SEC-AZURE',
    pattern: /AccountKey=(?<secret>[0-9A-Za-z+/]{86}==)/g,
    words: ['accountkey='],
    // The key of the Azure storage emulator is public.
    isReal: (secret) =>
      !secret.startsWith('Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq') &&
      isRandom(secret, 4),
  },
  {
    id: 'azure-access',
    title: 'Azure access key',
    pattern: /SharedAccessKey=(?<secret>[0-9A-Za-z+/]{43}=)/g,
    words: ['sharedaccesskey='],
    isReal: random(4),
  },
  {
    id: 'azure-client',
    title: 'Azure client secret',
    pattern: /(?<![\w~.-])(?<secret>[\w~.]{3}\dQ~[\w~.-]{31,34})(?![\w~.-])/g,
    words: ['q~'],
    isReal: random(3.5),
  },
  {
    id: 'twilio',
    title: 'Twilio auth token',
    pattern: /twilio\w{0,30}["']?[ \t]{0,4}(?:=>|[:=])[ \t]{0,4}["'`]?(?<secret>[0-9a-f]{32})(?![\w-])/gi,
    words: ['twilio'],
    isReal: random(3),
  },
  {
    id: 'heroku-uuid',
    title: 'Heroku key',
    pattern:
      /heroku\w{0,30}["']?[ \t]{0,4}(?:=>|[:=])[ \t]{0,4}["'`]?(?<secret>[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})(?![\w-])/gi,
    words: ['heroku'],
    isReal: random(3),
  },
  {
    id: 'termii',
    title: 'Termii key',
    pattern: /(?<![\w-])(?<secret>TL[0-9A-Za-z]{50,64})(?![\w-])/g,
    words: ['termii'],
    isReal: random(3.5),
  },
  {
    id: 'mailchimp',
    title: 'Mailchimp key',
    pattern: /(?<![\w-])(?<secret>[0-9a-f]{32}-us\d{1,2})(?![\w-])/g,
    words: ['-us'],
    isReal: random(3),
  },
  {
    id: 'slack-webhook',
    title: 'Slack webhook address',
    pattern: /hooks\.slack\.com\/(?:services|workflows)\/(?<secret>T\w{6,20}\/[AB]\w{6,20}\/[\w/]{20,60})/g,
    words: ['hooks.slack.com'],
    isReal: random(3),
  },
  {
    id: 'discord-webhook',
    title: 'Discord webhook address',
    pattern: /discord(?:app)?\.com\/api\/webhooks\/\d{15,22}\/(?<secret>[\w-]{50,80})/g,
    words: ['/api/webhooks/'],
    isReal: random(3.5),
  },
]

/** This machine, private networks and documented example hosts. */
const PRIVATE_HOST =
  /^(localhost|127\.|0\.0\.0\.0)|^[\w-]+$|\.(example|test|invalid|local|internal)$|(^|\.)example\.(com|org|net)$/i
const WELL_KNOWN_PASSWORD =
  /^(password|passw0rd|postgres|secret|admin|root|changeme|mysecretpassword|test|pass|user|guest)\d*$/i

/** Hashes, identifiers, versions, URLs, hyphenated words, file names. */
const ORDINARY =
  /^[0-9a-f]{32}$|^[0-9a-f]{40}$|^[0-9a-f]{64}$|^[0-9a-f]{8}-[0-9a-f]{4}-|^sha\d+-|^https?|^\d+(\.\d+)+|^[a-z]+([-_.][a-z]+)+\d*$|^[A-Z]+(_[A-Z]+)+\d*$|\.(js|ts|json|py|go|php|java|pem|key|ya?ml|html)$|^[A-Z]?[a-z]+([A-Z][a-z]+)+\d*$/

const isOpaque = (secret: string, bits: number): boolean =>
  /\d/.test(secret) && /[a-z]/i.test(secret) && !ORDINARY.test(secret) && isRandom(secret, bits)

/** A password chosen by a person: not a placeholder or default, and more than one plain word. */
const isPassword = (secret: string): boolean =>
  (/\d/.test(secret) ? /[a-z]/i.test(secret) : /[a-z]/.test(secret) && /[A-Z]/.test(secret)) &&
  !isPlaceholder(secret) &&
  !WELL_KNOWN_PASSWORD.test(secret) &&
  entropyOf(secret) >= 2.5

const GENERAL: readonly SecretPattern[] = [
  {
    id: 'private-key',
    title: 'private key',
    rule: 'SEC-PEM',
    pattern:
      /-----BEGIN (?:RSA |EC |DSA |OPENSSH |PGP |ENCRYPTED )?PRIVATE KEY(?: BLOCK)?-----(?<secret>(?:\\n|\\r|["'+,\s]|[0-9A-Za-z+/=:]|-(?!-{4})){100,6000}?)-----END/g,
    words: ['private key'],
    isReal: (secret) => isRandom(secret.replace(/\\n|[^0-9A-Za-z+/]/g, ''), 4),
  },
  {
    // A key without its end, or longer than the pattern above allows. PGP keys have headers with other
    // characters.
    id: 'private-key-part',
    title: 'private key',
    pattern:
      /-----BEGIN (?:[A-Z]{2,12} )?PRIVATE KEY(?: BLOCK)?-----(?:\\r|\\n|\s)+(?:(?:Version|Comment|Proc-Type|DEK-Info): [^\n]{0,200}\n\s*)*(?<secret>(?:[0-9A-Za-z+/=]{16,4000}(?![0-9A-Za-z+/=])(?:\\r|\\n|["'+,;]|\s){0,40})+)/g,
    words: ['private key'],
    isReal: (secret) => secret.length >= 60 && isRandom(secret.replace(/\\n|[^0-9A-Za-z+/]/g, ''), 4),
  },
  {
    id: 'database-address',
    title: 'password in a connection string',
    rule: 'SEC-DBURL',
    pattern:
      /\b(?:postgres(?:ql)?|mysql|mariadb|mongodb(?:\+srv)?|rediss?|amqps?|mssql|sqlserver):\/\/[^\s:/@"'`<>{}$%]{1,80}:(?<secret>[^\s@"'`<>{}$%*]{6,200})@(?<host>[\w.-]+)/g,
    words: ['://'],
    isReal: (secret, { groups }) =>
      !isPlaceholder(secret) && !WELL_KNOWN_PASSWORD.test(secret) && !PRIVATE_HOST.test(groups?.host ?? ''),
  },
  {
    // Also Redis URLs without a user, escaped passwords and private hosts. These are masked but not
    // reported.
    id: 'address',
    title: 'password in an address',
    pattern:
      /\b[a-z][a-z0-9+.-]{1,20}:\/\/[^\s:/@"'`<>{}$]{0,80}:(?<secret>[^\s@/"'`<>{}$*]{6,200})@(?!sha256:)[\w.-]+/gi,
    words: ['://'],
    isReal: isPassword,
  },
  {
    id: 'connection-string',
    title: 'password in a connection string',
    pattern: /[;?&](?:password|pwd)=(?<secret>[^\s;&"'`<>{}$*]{6,200})/gi,
    words: ['password=', 'pwd='],
    isReal: isPassword,
  },
  {
    id: 'jwt',
    title: 'signed token (JWT)',
    pattern: /(?<![\w-])(?<secret>eyJ[\w-]{10,4000}\.eyJ[\w-]{4,8000}\.[\w-]{20,2000})(?![\w-])/g,
    words: ['eyj'],
    isReal: (secret) => isRandom(secret.slice(secret.lastIndexOf('.') + 1), TOKEN_BITS),
  },
  {
    id: 'named-value',
    title: 'value that looks like a secret',
    rule: 'SEC-GENERIC',
    pattern:
      /(?<![\w-])[\w.-]{0,40}?(?:secret|token|passwd|password|api_?key|apikey|access_?key|private_?key|client_?secret)\w{0,20}["']?\s{0,4}(?::=|=>|[:=])\s{0,4}["'`](?<secret>[0-9A-Za-z_+/=.-]{20,200})["'`]/gi,
    words: ['secret', 'token', 'passw', 'key'],
    isReal: (secret) => isOpaque(secret, 3.8),
  },
  {
    // As in settings files: one line, without quotes.
    id: 'named-line',
    title: 'value that looks like a secret',
    pattern:
      /^[ \t]*(?:export |ENV |- )?[\w.-]{0,40}(?:SECRET|TOKEN|PASSWD|PASSWORD|PASSKEY|CONSUMER|API_?KEY|ACCESS_?KEY|PRIVATE_?KEY)\w{0,20}[ \t]{0,8}[=:][ \t]{0,8}(?<secret>[0-9A-Za-z_+/=-]{20,200})[ \t]*\r?$/gim,
    words: ['secret', 'token', 'passw', 'key', 'consumer'],
    isReal: (secret) => isOpaque(secret, 3.8),
  },
  {
    // Hashes have other names, such as `passwordHash`.
    id: 'named-hex',
    title: 'value that looks like a secret',
    pattern:
      /(?:secret|token|password|passwd|passkey|(?:api|app|secret|access|private|auth|encryption|signing|master|consumer|jwt|session|cookie)[_-]?key)["']?[ \t]{0,8}(?::=|=>|[:=])[ \t]{0,8}["'`]?(?<secret>[0-9a-fA-F]{32,128})(?![\w-])/gi,
    words: ['secret', 'token', 'passw', 'passkey', 'key'],
    isReal: (secret) => /\d/.test(secret) && /[a-f]/i.test(secret) && isRandom(secret, 3),
  },
  {
    id: 'named-password',
    title: 'password',
    pattern:
      /^[ \t]*(?:export |ENV |- )?[A-Z0-9_]{0,40}(?:PASSWORD|PASSWD|PASSPHRASE)[ \t]{0,8}[=:][ \t]{0,8}["']?(?<secret>[^\s"'`$<>{}()]{8,100})["']?[ \t]*\r?$/gm,
    words: ['passw', 'passphrase'],
    isReal: isPassword,
  },
  {
    // As in JSON: both the name and the value are quoted.
    id: 'quoted-password',
    title: 'password',
    pattern:
      /["'][\w.-]{0,40}(?:password|passwd|passphrase|pwd)["'][ \t]{0,8}:[ \t]{0,8}["'](?<secret>[^\s"'`$<>{}()]{8,100})["']/gi,
    words: ['passw', 'passphrase', 'pwd'],
    isReal: (secret) => /\d/.test(secret) && !ORDINARY.test(secret) && isPassword(secret),
  },
]

/** If two formats match the same text, the first one wins. */
export const SECRET_PATTERNS: readonly SecretPattern[] = [
  ...PAYMENT_KEYS,
  ...PROVIDER_TOKENS,
  ...SERVICES,
  ...GENERAL,
]

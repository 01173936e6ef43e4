// Redacts secrets in log lines, by field name and by the pattern of the value.
import { TOKEN_PREFIXES } from '@cowrie/analysis/secret-formats/secrets.ts'

export const REDACTED = '[redacted]'

const TEXT_CHARACTERS_MAX = 16_384
const LAST_WORD_CHARACTERS_MAX = 1_024

/**
 * The text on one line, without anything that looks like a secret. Text over 16 Ki characters is cut at a word
 * boundary, so that a partial secret is never shown.
 */
export function redactText(text: string): string {
  const bounded = text.length > TEXT_CHARACTERS_MAX ? cut(text) : text
  const safe = MARKERS.test(bounded) ? PATTERNS.reduce(replace, bounded) : bounded
  return UNSEEN.test(safe) ? safe.replace(EACH_UNSEEN, showCharacter) : safe
}

/** Whether a field of this name holds a secret. api_key, apiKey and API-KEY are the same name. */
export function isSecretName(name: string): boolean {
  const plain = name.toLowerCase().replaceAll(/[^a-z0-9]/g, '')
  return SECRET_NAMES.has(plain) || SECRET_ENDINGS.test(plain)
}

const SECRET_NAMES = new Set(
  `authorization challenge code codes cookie cookies credential credentials cvv dsn jwt key mfa nonce otp pan
   passphrase passwd password passwords pem pin privatekey pwd recoverycode recoverycodes seal sealed secret secrets
   session sessionid setcookie sig signature smtpurl databaseurl redisurl token totp upstreamapikey xapikey`.split(
    /\s+/,
  ),
)
// `tokens` is not a secret: it counts the tokens of a model call.
const SECRET_ENDINGS =
  /(?:password|passphrase|secret|token|apikey|privatekey|accesskey|secretkey|signingkey|cookie|authorization|signature|credentials?|otp|recoverycodes?|challenge)$/

// A fast pre-check: most texts contain none of these.
const MARKERS = new RegExp(
  `${TOKEN_PREFIXES}|bearer|basic|eyj|private key|session|://|token|secret|passw|key|code|signature`,
  'i',
)

// Also matches after an escaped line break, as in JSON inside a text.
const TOKENS = new RegExp(String.raw`(?:(?<![A-Za-z0-9])|(?<=\\[nrt]))(${TOKEN_PREFIXES})[\w-]{6,}`, 'g')

type Pattern = readonly [RegExp, string]
// Every repetition is bounded or ends at the first other character, so no pattern can backtrack without limit.
const PATTERNS: readonly Pattern[] = [
  [
    /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z0-9 ]{0,40}PRIVATE KEY-----|$)/g,
    '[redacted private key]',
  ],
  [/(service_session=)[^;\s,"'\\]+/gi, `$1${REDACTED}`],
  [/\b(bearer\s{1,8})[\w.~+/=-]{6,}/gi, `$1${REDACTED}`],
  [/\b(basic\s{1,8})[A-Za-z0-9+/_-]{16,}={0,2}/gi, `$1${REDACTED}`],
  [/(?<![A-Za-z0-9])eyJ[\w-]{5,512}\.[\w-]{5,}(?:\.[\w-]*){0,3}/g, '[redacted jwt]'],
  [TOKENS, `$1${REDACTED}`],
  // The password in a URL may contain any character; the last @ ends it.
  [/(:\/\/[^\s:@/"'<>]{0,128}:)[^\s"'<>]{1,256}@/g, `$1${REDACTED}@`],
  // A field inside a text: ?token=…, password=…, "apiKey": "…", also with escaped quotes.
  [
    /((?:password|passwd|secret|token|api_?key|signature|private_?key|[?&](?:code|key))=)[^\s&;,"'<>\\]+/gi,
    `$1${REDACTED}`,
  ],
  [
    /((?:password|passphrase|secret|token|key|authorization|cookie|signature|challenge)\\?["']\s{0,8}:\s{0,8}\\?["'])[^"'\\]+/gi,
    `$1${REDACTED}`,
  ],
  // One-time codes are digits. Codes in words are error codes and stay readable.
  [/(code\\?["']\s{0,8}:\s{0,8}(?:\\?["'])?)\d{4,10}/gi, `$1${REDACTED}`],
]

const replace = (text: string, [pattern, replacement]: Pattern): string => text.replace(pattern, replacement)

// JSON escapes characters below 32. These also move the cursor, break lines or change the writing direction.
const UNSEEN = /[\x7f-\x9f\u2028-\u202e\u2066-\u2069]/
const EACH_UNSEEN = new RegExp(UNSEEN, 'g')
const showCharacter = (character: string): string =>
  `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`

function cut(text: string): string {
  const kept = text.slice(0, TEXT_CHARACTERS_MAX)
  const lastSpace = Math.max(kept.lastIndexOf(' '), kept.lastIndexOf('\n'))
  const end = Math.max(lastSpace, TEXT_CHARACTERS_MAX - LAST_WORD_CHARACTERS_MAX)
  return `${kept.slice(0, end)}… [${text.length - end} more characters]`
}

// Rules about weak ciphers, hashes and random numbers.

import type { AbstractValue } from '../../../abstract-value.ts'
import type { CallEvent, CompareEvent, EvaluatedArgument, Hit, Rule } from '../../../rule.ts'
import { findTaint } from '../taint-flow.ts'

export const cryptoRules: readonly Rule[] = [
  {
    id: 'JS-CRYPTO-01',
    title: 'A broken cipher or hash is used',
    cwe: 327,
    severity: 'warn',
    confidence: 'high',
    languages: ['javascript'],
    message:
      'Attackers try billions of passwords per second against MD5 and SHA-1. DES and RC4 are broken. ECB reveals repeated blocks.',
    fix: 'Use `scrypt` or Argon2 for passwords, SHA-256 for other hashes, and AES-256-GCM to encrypt.',
    on: { call: findWeakCipher },
  },
  {
    id: 'JS-CRYPTO-02',
    title: 'A key, salt or nonce is in the code',
    cwe: 329,
    severity: 'error',
    confidence: 'high',
    languages: ['javascript'],
    message: 'A repeated nonce reveals the encrypted data. Everyone who can read the code has the key.',
    fix: 'Generate nonce and salt with `crypto.randomBytes` each time and store them with the result. Read keys from a secret store.',
    on: { call: findHardCodedKey },
  },
  {
    id: 'JS-RAND-01',
    title: 'A secret is generated with Math.random',
    cwe: 338,
    severity: 'warn',
    confidence: 'medium',
    languages: ['javascript'],
    message:
      'A few values of `Math.random` are enough to compute all following ones, so codes and tokens made with it can be guessed.',
    fix: 'Use `crypto.randomBytes`, `crypto.randomInt` or `crypto.randomUUID`.',
    on: { call: findPredictableSecret },
  },
  {
    id: 'JS-TIME-01',
    title: 'A secret is not compared in constant time',
    cwe: 208,
    severity: 'warn',
    confidence: 'high',
    languages: ['javascript'],
    message:
      'The comparison stops at the first difference. Its duration reveals the right value character by character.',
    fix: 'Compare with `crypto.timingSafeEqual` after checking that the lengths are equal.',
    on: { compare: findUnsafeCompare },
  },
]

const PROTOCOL = /(?:^|\/)[^/]*(?:scram|sasl|ntlm|digest|cram)[^/]*\.\w+$/i

const CIPHER_OR_HASH = /^(?:crypto\.|crypto-js\.|md5$|sha1$|blueimp-md5$)/

function findWeakCipher(event: CallEvent): Hit | undefined {
  const { name } = event
  if (!CIPHER_OR_HASH.test(name)) return undefined
  const { expr } = event
  // The protocol prescribes the hash.
  const hit: Hit = PROTOCOL.test(event.path) ? { at: expr.at, severity: 'note' } : { at: expr.at }
  if (name === 'crypto.createCipher' || name === 'crypto.createDecipher') return hit
  const algorithm = event.arg(0)?.value.known
  if (name === 'crypto.createCipheriv' && typeof algorithm === 'string') {
    return /^(?:des|rc4|rc2|bf|blowfish|cast)|-ecb$/i.test(algorithm) ? hit : undefined
  }
  if (/^crypto-js\.(?:DES|TripleDES|RC4)\.encrypt$/.test(name)) return hit
  const isHash =
    name === 'crypto.createHash' &&
    typeof algorithm === 'string' &&
    /^(?:md5|md4|sha1|sha-1)$/i.test(algorithm)
  const isOther = /^(?:md5|sha1|crypto-js\.(?:MD5|SHA1)|blueimp-md5)$/.test(name)
  return (isHash || isOther) && PASSWORD.test(around(event)) ? hit : undefined
}

/** Other hashes identify content, which is fine. The passphrase of a key file is hashed as its format demands. */
const PASSWORD = /\b\w*(?:passw|passwd|pwd)\w*\b/i

/** The approximate statement of a call: its line and the method chain after it. */
function around({ text, expr, functions }: CallEvent): string {
  const from = text.lastIndexOf('\n', expr.at.start) + 1
  const end = /^[^;\n]*(?:\n\s*\.[^;\n]*)*/.exec(text.slice(expr.at.end))?.[0].length ?? 0
  return `${functions[0]?.name ?? ''} ${text.slice(from, expr.at.end + end)}`
}

function findHardCodedKey(event: CallEvent): Hit | undefined {
  const { name, expr } = event
  const hit: Hit = { at: expr.at }
  if (name === 'crypto.createCipheriv') {
    const isGiven = isWritten(event.arg(1)) || isWritten(event.arg(2)) || isZeros(event.arg(2))
    return isGiven && !/-ecb$/i.test(String(event.arg(0)?.value.known)) ? hit : undefined
  }
  if (/^crypto\.(?:pbkdf2|scrypt)(?:Sync)?$/.test(name)) {
    return isWritten(event.arg(1))
      ? { ...hit, severity: 'warn', detail: 'The salt is the same for every user.' }
      : undefined
  }
  if (/^crypto-js\.(?:AES|DES|TripleDES|RC4|Rabbit)\.encrypt$/.test(name))
    return isWritten(event.arg(1)) ? hit : undefined
  return undefined
}

function isWritten(arg: EvaluatedArgument | undefined): boolean {
  if (!arg) return false
  const { value } = arg
  const inner = value.type === 'Buffer' ? value.fields?.get('source') : value
  return typeof inner?.known === 'string' && inner.known.length > 0
}

const isZeros = (arg: EvaluatedArgument | undefined): boolean =>
  arg?.value.name === 'Buffer.alloc()' && arg.expr.kind === 'call'

function findPredictableSecret(event: CallEvent): Hit | undefined {
  if (event.name !== 'Math.random') return undefined
  const { text, expr, functions } = event
  const from = text.lastIndexOf('\n', expr.at.start) + 1
  const before = text.slice(from, expr.at.start)
  const target = /([\w$.[\]'"]+)\s*(?:[:=]|\+=)[^=:]*$/.exec(before)?.[1] ?? ''
  const isSecret =
    SECRET.test(target) || (SECRET_MAKER.test(functions[0]?.name ?? '') && !NOT_SECRET.test(before))
  if (!isSecret || NOT_SECRET.test(target)) return undefined
  // One report for a function that joins several numbers.
  const start = functions[0]?.at.start ?? from
  return text.slice(start, expr.at.start).includes('Math.random(') && !SECRET.test(target)
    ? undefined
    : { at: expr.at }
}

const SECRET =
  /(?:^|[._\b]|[a-z])(?:[tT]oken|OTP|[oO]tp|[pP]assword|[sS]ecret|[sS]essionI[dD]|[aA]piKey|[nN]once|[sS]alt|[cC]srf|[vV]erificationCode|[rR]esetCode|[pP]asscode)\d*['"\]]?$/
const SECRET_MAKER =
  /^(?:gen|generate|create|make|new|random|get)\w*(?:Token|OTP|Otp|Password|Secret|SessionId|ApiKey|Nonce|Salt|VerificationCode|Pin|PIN)$/
const NOT_SECRET = /delay|jitter|sample|index|color|retry|mock|fake|test|boundary/i

function findUnsafeCompare({ expr, operator, left, right }: CompareEvent): Hit | undefined {
  if (!/^[!=]==?$/.test(operator) || left.known !== undefined || right.known !== undefined) return undefined
  const isMac = [left, right].some(({ name }) => /createHmac\(\)[\w.()]*\.digest\(\)$/.test(name ?? ''))
  if (isMac) return { at: expr.at }
  const isSecret = (value: AbstractValue) =>
    value.taints.some(
      ({ origin, label }) => origin === 'environment' && /secret|token|key|passw|signature/i.test(label),
    )
  const isAsked = (value: AbstractValue) => findTaint(value, { sinks: [] }) !== undefined
  return (isSecret(left) && isAsked(right)) || (isSecret(right) && isAsked(left))
    ? { at: expr.at }
    : undefined
}

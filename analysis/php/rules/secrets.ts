import type { AbstractValue } from '../../abstract-value.ts'
import type { CallEvent, Hit, Rule } from '../../rule.ts'
import { words } from '../model/values.ts'

/** Rules about password hashes, random numbers, ciphers and certificates. */
export const weakPasswordHash: Rule = {
  id: 'PH-HASH-01',
  title: 'A password is stored with a fast hash',
  cwe: 916,
  severity: 'error',
  confidence: 'high',
  languages: ['php'],
  message:
    'MD5 and SHA are fast: an attacker tries billions of passwords per second, which finds most of them.',
  fix: 'Use `password_hash($password, PASSWORD_DEFAULT)` and `password_verify`.',
  on: { call: findHash },
}

const PASSWORD =
  /\$\w*(?<![a-z])(pass|passwd|password|pwd|passphrase)\b|(\[['"]|->)(\w+_)?(pass|passwd|password|pwd)\b/i

/** The password was transformed first: a keyed hash or part of a protocol. */
const WORKED = /(?<!\b(trim|strtolower|md5|sha1|stripslashes|strval|utf8_encode))\(/

function findHash(event: CallEvent): Hit | undefined {
  if (event.receiver) return undefined
  const isNamed =
    event.name === 'hash' &&
    /^(md5|sha1|sha256|sha512|crc32b?)$/i.test(String(event.arg(0)?.value.known ?? ''))
  if (!isNamed && !/^(md5|sha1|crc32)$/.test(event.name)) return undefined
  const hashed = event.args[isNamed ? 1 : 0]
  const written = hashed ? event.source(hashed.expr.at) : ''
  return PASSWORD.test(written) && !WORKED.test(written) ? { at: event.expr.at } : undefined
}

/** Predictable secrets. */
export const weakRandomness: Rule = {
  id: 'PH-RAND-01',
  title: 'A secret comes from a predictable generator',
  cwe: 330,
  severity: 'warn',
  confidence: 'medium',
  languages: ['php'],
  message:
    '`rand`, `mt_rand` and `uniqid` derive from the clock and a small seed. From one value an attacker computes the next, so a token, code or password made with them can be guessed.',
  fix: 'Use `random_bytes` (`bin2hex(random_bytes(32))`) or `random_int`.',
  on: { call: findRandom },
}

const GENERATORS = new Set(words('rand mt_rand uniqid lcg_value str_shuffle array_rand shuffle'))
const SECRET =
  /(token|secret|passw(or)?d|passcode|otp(_?code)?$|^otp|nonce|csrf|api_?key|session_?id|(reset|verif\w*|activation|auth|recovery|confirm\w*)_?(code|key|hash)|(?<![a-z])salt)/i

function findRandom(event: CallEvent): Hit | undefined {
  if (event.receiver || !GENERATORS.has(event.name)) return undefined
  const inside = event.functions.find(({ name }) => name !== '')?.name ?? ''
  return SECRET.test(inside) || SECRET.test(targetOf(event)) ? { at: event.expr.at } : undefined
}

/** The name the result is assigned to. */
function targetOf({ text, expr }: CallEvent): string {
  const start = text.lastIndexOf('\n', expr.at.start) + 1
  return (
    /\$?([\w>'"[\]-]+?)['"\]]*\s*(?:\.?=|=>)[^=>][^;]*$/.exec(text.slice(start, expr.at.start + 1))?.[1] ?? ''
  )
}

/** Broken ciphers. */
export const weakCipher: Rule = {
  id: 'PH-CRYPTO-01',
  title: 'A broken cipher is used',
  cwe: 327,
  severity: 'warn',
  confidence: 'high',
  languages: ['php'],
  message:
    'DES and RC4 can be broken with common hardware, and ECB reveals repeated blocks, so they do not protect data.',
  fix: 'Use `aes-256-gcm` with a new nonce each time, or `sodium_crypto_secretbox`.',
  on: {
    call: (event) => {
      if (!/^openssl_(en|de)crypt$/.test(event.name)) return undefined
      const method = String(event.arg(1)?.value.known ?? '')
      const isWeak = /^(des|rc4|rc2|bf)|-ecb$/i.test(method)
      return isWeak ? { at: event.args[1]?.expr.at ?? event.expr.at } : undefined
    },
  },
}

/** TLS verification. */
export const uncheckedCertificate: Rule = {
  id: 'PH-TLS-01',
  title: 'TLS certificates are not verified',
  cwe: 295,
  severity: 'error',
  confidence: 'high',
  languages: ['php'],
  message:
    'Any server is accepted. Anyone on the network path can read and change the traffic, including passwords and amounts.',
  fix: 'Leave verification on. For your own certificate set its authority with `CURLOPT_CAINFO`.',
  on: {
    call: (event) => {
      if (event.name !== 'curl_setopt') return undefined
      const [, option, value] = event.args
      const isPeer = /^CURLOPT_SSL_VERIFY(PEER|HOST)$/.test(option?.value.name ?? '')
      return isPeer && isOff(value?.value) ? { at: event.expr.at } : undefined
    },
    assign: ({ isEntry, target, value, source }) =>
      isEntry && isOff(value) && /^CURLOPT_SSL_VERIFYPEER$/.test(source(target.at))
        ? { at: target.at }
        : undefined,
  },
}

const isOff = (value: AbstractValue | undefined): boolean => value?.known === false || value?.known === 0

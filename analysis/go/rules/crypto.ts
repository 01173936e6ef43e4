import { isCall } from '../../engine/name-patterns.ts'
import type { CallEvent, Hit, Rule } from '../../rule.ts'

/** Password hashes that are fast to brute-force. */
export const weakPasswordHash: Rule = {
  id: 'GO-HASH-01',
  title: 'A password is stored with a fast hash',
  cwe: 328,
  severity: 'warn',
  confidence: 'high',
  languages: ['go'],
  message:
    'MD5 and SHA-1 are fast: an attacker tries billions of passwords per second, which finds most of them.',
  fix: 'Use `bcrypt.GenerateFromPassword` or `argon2.IDKey`.',
  on: {
    call: (event) => {
      const isSum = isCall(event, 'crypto/md5.Sum', 'crypto/sha1.Sum') || isWritten(event)
      return isSum && PASSWORD.test(argumentSource(event)) ? { at: event.expr.at } : undefined
    },
  },
}

const PASSWORD = /\b(\w*[pP]ass(word|wd|phrase)|pwd|\w*\.P(assword|wd))\b/

const isWritten = ({ method, name }: CallEvent): boolean =>
  /crypto\/(md5|sha1)\.New\(\)/.test(name) && /^(Write|Sum)$/.test(method)

const argumentSource = ({ args, source }: CallEvent): string => (args[0] ? source(args[0].expr.at) : '')

/** Broken ciphers. */
export const weakCipher: Rule = {
  id: 'GO-CRYPTO-01',
  title: 'A broken cipher is used',
  cwe: 327,
  severity: 'warn',
  confidence: 'high',
  languages: ['go'],
  message: 'DES and RC4 can be broken with common hardware, so they do not protect data.',
  fix: 'Use AES-GCM: `cipher.NewGCM` over `aes.NewCipher`, or chacha20poly1305.',
  on: {
    call: (event) =>
      isCall(event, 'crypto/des.NewCipher', 'crypto/des.NewTripleDESCipher', 'crypto/rc4.NewCipher')
        ? { at: event.expr.at }
        : undefined,
  },
}

/** Signing keys in the source. */
export const hardCodedSigningKey: Rule = {
  id: 'GO-JWT-01',
  title: 'A signing key is in the code',
  cwe: 798,
  severity: 'error',
  confidence: 'high',
  languages: ['go'],
  message:
    'Tokens are signed with a key from the source code. Anyone who can read it can sign tokens for any user, and changing it needs a release.',
  fix: 'Read the key from the environment or a key store, and refuse to start without it.',
  on: { call: findKey },
}

function findKey(event: CallEvent): Hit | undefined {
  if (event.method !== 'SignedString' || !event.imports(/jwt/)) return undefined
  const key = event.arg(0)?.value.known
  return typeof key === 'string' && key !== '' ? { at: event.expr.at } : undefined
}

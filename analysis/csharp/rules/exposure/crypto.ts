// Rules about ciphers, hashes and predictable secrets.

import type { AbstractValue } from '../../../abstract-value.ts'
import { isChecksum, isNoSecret } from '../../../java/rules/exposure/crypto.ts'
import { SECRET } from '../../../java/rules/exposure/randomness.ts'
import { piecesOf } from '../../../java/rules/taint-flow.ts'
import type { Rule } from '../../../rule.ts'
import { PREDICTABLE_RANDOM } from '../../model/files.ts'

export const weakCipher: Rule = {
  id: 'CS-CRYPTO-01',
  title: 'A broken cipher is used',
  cwe: 327,
  severity: 'warn',
  confidence: 'high',
  languages: ['csharp'],
  message:
    'This cipher or mode no longer protects data: DES, RC2 and RC4 can be broken, and ECB reveals which blocks are equal.',
  fix: 'Use `AesGcm` with a new random nonce for every message.',
  on: {
    call({ name, isNew, expr }) {
      const isBroken =
        /^(?:DES|TripleDES|RC2)\.Create$/.test(name) ||
        (isNew && /^(?:DES|TripleDES|RC2)CryptoServiceProvider$/.test(name)) ||
        (isNew && /^(?:TripleDESCng|RC4Engine|DesEngine)$/.test(name))
      return isBroken ? { at: expr.at, detail: `\`${name.replace(/\.Create$/, '')}\` is used.` } : undefined
    },
    assign: ({ name, source, expr }) =>
      name === 'Mode' && /\bCipherMode\.ECB$/.test(source(expr.at)) ? { at: expr.at } : undefined,
  },
}

export const weakHash: Rule = {
  id: 'CS-HASH-01',
  title: 'A broken hash is used',
  cwe: 328,
  severity: 'warn',
  confidence: 'medium',
  languages: ['csharp'],
  message:
    'MD5 and SHA-1 are broken: collisions can be computed, and attackers try billions of passwords per second.',
  fix: 'Use SHA-256 to identify content, HMAC-SHA-256 to sign, and Argon2, bcrypt or PBKDF2 for passwords.',
  on: {
    call(event) {
      const { name, isNew, expr } = event
      const isWeak =
        /^(?:MD5|SHA1)\.(?:Create|HashData|HashDataAsync)$/.test(name) ||
        (isNew && /^(?:MD5|SHA1)(?:CryptoServiceProvider|Managed|Cng)$/.test(name)) ||
        (/^(?:HashAlgorithm|CryptoConfig)\.\w*Create\w*$/.test(name) &&
          /^(?:MD5|SHA-?1)$/i.test(String(event.arg(0)?.value.known ?? '')))
      return isWeak && !isNoSecret(event) && !isChecksum(event) ? { at: expr.at } : undefined
    },
  },
}

export const predictableSecret: Rule = {
  id: 'CS-RAND-01',
  title: 'A secret comes from a predictable generator',
  cwe: 330,
  severity: 'warn',
  confidence: 'high',
  languages: ['csharp'],
  message:
    'The values of `System.Random` can be computed from a few earlier ones. A token or password made from them can be guessed.',
  fix: 'Use `RandomNumberGenerator.GetBytes(16)` or `RandomNumberGenerator.GetInt32(limit)`.',
  on: {
    assign: ({ name, value, expr }) =>
      SECRET.test(name) && isPredictable(value) ? { at: expr.at } : undefined,
    return({ value, at, functions }) {
      const [definition] = functions
      return definition && SECRET.test(definition.name) && isPredictable(value) ? { at } : undefined
    },
  },
}

const isPredictable = (value: AbstractValue): boolean =>
  [value, ...piecesOf(value), value.others ?? ''].some(
    (piece) => typeof piece !== 'string' && piece.name === PREDICTABLE_RANDOM,
  )

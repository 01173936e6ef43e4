// Rules about broken ciphers and hashes, also if their names come from settings.
import type { CallEvent, EventContext, Rule } from '../../../rule.ts'

export const weakCipher: Rule = {
  id: 'JV-CRYPTO-01',
  title: 'A broken cipher is used',
  cwe: 327,
  severity: 'warn',
  confidence: 'high',
  languages: ['java'],
  message:
    'This cipher or mode no longer protects data: DES and RC4 can be broken, and ECB reveals which blocks are equal.',
  fix: 'Use `Cipher.getInstance("AES/GCM/NoPadding")` with a new random nonce for every message.',
  on: {
    call(event) {
      if (event.name === 'javax.crypto.NullCipher') return { at: event.expr.at }
      if (event.name !== 'javax.crypto.Cipher.getInstance') return undefined
      const name = event.arg(0)?.value.known
      return typeof name === 'string' && isBroken(name)
        ? { at: event.expr.at, detail: `\`${name}\` is used.` }
        : undefined
    },
  },
}

/** A block cipher without a mode uses ECB. RSA has no modes; `RSA/ECB/…` is only notation. */
function isBroken(name: string): boolean {
  const [cipher = '', mode] = name.split('/')
  if (/^(DES|DESede|TripleDES|RC2|RC4|ARC4|ARCFOUR|Blowfish)$|DES$|RC2|RC4/i.test(cipher)) return true
  if (/^(RSA|ECIES|EC|ElGamal)/i.test(cipher)) return false
  return /^ECB$/i.test(mode ?? '') || /^AES(_\d+)?$/i.test(name)
}

export const weakHash: Rule = {
  id: 'JV-HASH-01',
  title: 'A broken hash is used',
  cwe: 328,
  severity: 'warn',
  confidence: 'high',
  languages: ['java'],
  message:
    'MD5 and SHA-1 are broken: collisions can be computed, and attackers try billions of passwords per second.',
  fix: 'Use SHA-256 to identify content, HMAC-SHA-256 to sign, and Argon2, bcrypt or PBKDF2 for passwords.',
  on: {
    call(event) {
      const name = hashOf(event)
      if (name === undefined || isNoSecret(event)) return undefined
      const isSecret = /passw|credential|secret|token|signature/i.test(nearby(event))
      return { at: event.expr.at, confidence: isSecret ? 'high' : 'medium', detail: `\`${name}\` is used.` }
    },
  },
}

function hashOf({ name, method, arg }: CallEvent): string | undefined {
  if (name === 'java.security.MessageDigest.getInstance') {
    const given = arg(0)?.value.known
    return typeof given === 'string' && /^(MD[245]|SHA-?1|SHA)$/i.test(given) ? given : undefined
  }
  const isUtility = /(^|\.)DigestUtils\.\w+$/.test(name)
  return isUtility && /^(md[25](Hex|Digest\w*)?|sha1?(Hex)?|get(Md[25]|Sha1?)Digest)$/.test(method)
    ? method
    : undefined
}

/** Names nearby show that the hashed value is not secret and a collision has no use. */
export const isNoSecret = (event: CallEvent): boolean =>
  /check_?sum|e_?tag|cache|fingerprint|content_?md5|gravatar|web_?socket|uuid|hash_?code|dedup|bucket|shard|git_?(hash|object|blob)|thumbprint/i.test(
    nearby(event),
  )

/** A table of algorithms, from which the caller chooses, or the checksum of a file. */
export function isChecksum({ text, expr }: CallEvent): boolean {
  const from = text.lastIndexOf('\n', expr.at.start) + 1
  const line = text.slice(from, Math.max(expr.at.end, text.indexOf('\n', expr.at.start)))
  return /["'](?:md5|sha-?1)["']\s*(?:->|=>|,|to\b|:)|\bfile|stream/i.test(line)
}

/** The names of the enclosing methods and classes, and the line itself. */
function nearby({ functions, classes, source, expr, text }: CallEvent & EventContext): string {
  const lineStart = text.lastIndexOf('\n', expr.at.start) + 1
  const names = [...functions, ...classes].map(({ name }) => name)
  return [...names, text.slice(lineStart, expr.at.start), source(expr.at)].join(' ')
}

// The format of API keys, csk_<id>_<random><checksum>, and of SCIM tokens, which start with cst. Secret scanners recognise it, and the checksum rejects
// typing errors before any query.
import { hash, randomBytes } from 'node:crypto'
import { crc32 } from 'node:zlib'

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const RANDOM_CHARACTERS = 32
const FORMS = {
  csk: /^csk_[0-9A-Za-z]{8}_[0-9A-Za-z]{38}$/,
  cst: /^cst_[0-9A-Za-z]{8}_[0-9A-Za-z]{38}$/,
}

export type GeneratedKey = { key: string; prefix: string; hash: Buffer }

/** A new key. Only its hash is stored; the key itself is shown once. */
export function generateKey(kind: keyof typeof FORMS = 'csk'): GeneratedKey {
  const id = base62(8)
  const body = `${kind}_${id}_${base62(RANDOM_CHARACTERS)}`
  const key = body + checksumOf(body)
  return { key, prefix: `${kind}_${id}`, hash: hashOf(key) }
}

/** The hash for the lookup; null when the text is not a key of this kind. */
export function parseKey(key: string, kind: keyof typeof FORMS = 'csk'): Buffer | null {
  if (!FORMS[kind].test(key) || checksumOf(key.slice(0, -6)) !== key.slice(-6)) return null
  return hashOf(key)
}

// A key has over 190 random bits, so a fast hash is as safe as a slow one.
const hashOf = (key: string): Buffer => hash('sha256', key, 'buffer')

function checksumOf(text: string): string {
  let rest = crc32(text)
  let out = ''
  for (let i = 0; i < 6; i++) {
    out = BASE62[rest % 62] + out
    rest = Math.floor(rest / 62)
  }
  return out
}

function base62(length: number): string {
  // Rejection sampling keeps every character equally likely.
  let out = ''
  while (out.length < length) {
    for (const byte of randomBytes(length)) if (byte < 248 && out.length < length) out += BASE62[byte % 62]
  }
  return out
}

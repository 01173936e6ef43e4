// Identifiers: a prefix for the type, then 26 characters that sort by creation time.
import { randomFillSync } from 'node:crypto'

export type Id<Prefix extends string> = `${Prefix}_${string}`
export type UserId = Id<'usr'>
export type OrgId = Id<'org'>
export type KeyId = Id<'key'>
export type ScimTokenId = Id<'sct'>

const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz'
const RANDOM_BYTES = 10

/**
 * A new identifier: 48 bits of milliseconds and 80 random bits in Crockford's base 32, like a ULID. It sorts to the
 * millisecond and cannot be enumerated, but it is not a secret.
 */
export function newId<Prefix extends string>(prefix: Prefix, atMs = Date.now()): Id<Prefix> {
  return `${prefix}_${encodeTime(atMs)}${encodeRandom(nextRandom())}`
}

/** Whether a text has the format of such an identifier. The object may not exist. */
export function isId<Prefix extends string>(prefix: Prefix, text: string): text is Id<Prefix> {
  return (
    text.length === prefix.length + 27 &&
    text.startsWith(`${prefix}_`) &&
    /^[0-9a-hjkmnp-tv-z]{26}$/.test(text.slice(prefix.length + 1))
  )
}

/** When an identifier was created, to the millisecond. The text must have the format of one. */
export function timeOfId(id: Id<string>): Date {
  const time = id.slice(id.indexOf('_') + 1).slice(0, 10)
  return new Date([...time].reduce((ms, letter) => ms * 32 + ALPHABET.indexOf(letter), 0))
}

// Random bytes are drawn for many ids at once, because each draw is expensive and every request has an id.
const pool = Buffer.alloc(RANDOM_BYTES * 400)
let taken = pool.length

function nextRandom(): Uint8Array {
  if (taken === pool.length) {
    randomFillSync(pool)
    taken = 0
  }
  taken += RANDOM_BYTES
  return pool.subarray(taken - RANDOM_BYTES, taken)
}

function encodeTime(ms: number): string {
  let out = ''
  for (let rest = ms, i = 0; i < 10; i++) {
    out = ALPHABET[rest % 32] + out
    rest = Math.floor(rest / 32)
  }
  return out
}

function encodeRandom(bytes: Uint8Array): string {
  let out = ''
  let bits = 0
  let held = 0
  for (const byte of bytes) {
    held = (held << 8) | byte
    bits += 8
    while (bits >= 5) {
      bits -= 5
      out += ALPHABET[(held >> bits) & 31]
    }
    held &= (1 << bits) - 1
  }
  return out
}

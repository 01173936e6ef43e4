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

/** The position of the next bytes in the pool. */
function nextRandom(): number {
  if (taken === pool.length) {
    randomFillSync(pool)
    taken = 0
  }
  taken += RANDOM_BYTES
  return taken - RANDOM_BYTES
}

let timeMs = -1
let timeText = ''

/** Many identifiers are created in one millisecond. */
function encodeTime(ms: number): string {
  if (ms === timeMs) return timeText
  let out = ''
  for (let rest = ms, i = 0; i < 10; i++) {
    out = ALPHABET[rest % 32] + out
    rest = Math.floor(rest / 32)
  }
  timeMs = ms
  timeText = out
  return out
}

/** The two characters of each 10 bits. */
const PAIRS = Array.from({ length: 1_024 }, (_, bits) => `${ALPHABET[bits >> 5]}${ALPHABET[bits & 31]}`)

const encodeRandom = (at: number): string => encodeFiveBytes(at) + encodeFiveBytes(at + 5)

function encodeFiveBytes(at: number): string {
  const [first, second, third] = [pool.readUInt16BE(at), pool.readUInt16BE(at + 2), pool.readUInt8(at + 4)]
  const middle = ((first & 63) << 16) | second
  return `${PAIRS[first >> 6]}${PAIRS[middle >> 12]}${PAIRS[(middle >> 2) & 1023]}${PAIRS[((second & 3) << 8) | third]}`
}

// Detects our API key in the response of an upstream, so that it never reaches a customer.

/** A shorter key may occur in an answer by chance. */
const KEY_CHARACTERS_MIN = 12
const NOTHING = Buffer.alloc(0)

/** Returns a function that checks chunk after chunk, also across chunk boundaries. */
export function createKeyLeakDetector(apiKey: string): (chunk: Buffer) => boolean {
  if (apiKey.length < KEY_CHARACTERS_MIN) return () => false
  const key = Buffer.from(apiKey)
  const firstByte = key[0] ?? 0
  let tail: Buffer = NOTHING
  return (chunk) => {
    const bytes = tail.length === 0 ? chunk : Buffer.concat([tail, chunk])
    if (bytes.includes(key)) return true
    tail = partialKeyAtEnd(bytes, key, firstByte)
    return false
  }
}

/** The end of these bytes, if it could be the beginning of the key. */
function partialKeyAtEnd(bytes: Buffer, key: Buffer, firstByte: number): Buffer {
  let at = bytes.indexOf(firstByte, Math.max(0, bytes.length - key.length + 1))
  while (at >= 0) {
    if (bytes.compare(key, 0, bytes.length - at, at) === 0) return Buffer.from(bytes.subarray(at))
    at = bytes.indexOf(firstByte, at + 1)
  }
  return NOTHING
}

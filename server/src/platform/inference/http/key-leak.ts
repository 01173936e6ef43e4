// Our key for an upstream goes there and nowhere else: an upstream that repeats it is not passed on.

/** Below this a key is a word that an answer may well contain. */
const KEY_CHARACTERS_MIN = 12

/** Says of chunk after chunk whether the key has appeared, also across their borders. */
export function createKeyLeakDetector(apiKey: string): (chunk: Buffer) => boolean {
  if (apiKey.length < KEY_CHARACTERS_MIN) return () => false
  const key = Buffer.from(apiKey)
  const firstByte = key[0] ?? 0
  let tail = Buffer.alloc(0)
  return (chunk) => {
    const bytes = tail.length === 0 ? chunk : Buffer.concat([tail, chunk])
    if (bytes.includes(key)) return true
    tail = partialKeyAtEnd(bytes, key, firstByte)
    return false
  }
}

/** The end of these bytes, where it could be the beginning of the key. Nearly always it is not. */
function partialKeyAtEnd(bytes: Buffer, key: Buffer, firstByte: number): Buffer<ArrayBuffer> {
  let at = bytes.indexOf(firstByte, Math.max(0, bytes.length - key.length + 1))
  while (at >= 0) {
    if (bytes.compare(key, 0, bytes.length - at, at) === 0) return Buffer.from(bytes.subarray(at))
    at = bytes.indexOf(firstByte, at + 1)
  }
  return Buffer.alloc(0)
}

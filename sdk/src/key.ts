// Idempotency keys: a call that is retried with the same key is executed and charged once.

/** Returns a new random key. Store it before the call, so that you can retry with it after a crash. */
export function newIdempotencyKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  return `auto_${Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')}`
}

// Names for intents: a call that is made again under the same one is done and paid once.

/** A new name. Write it down before the call is sent, and a crash in between costs nothing. */
export function newIdempotencyKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  return `auto_${Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')}`
}

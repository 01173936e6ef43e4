// RSA keys for tests. Generating a key takes a tenth of a second, so tests of one process share a few.
import { generateKeyPairSync, type KeyPairKeyObjectResult } from 'node:crypto'

/** No test needs more different keys. */
const KEYS_MAX = 8
const made: KeyPairKeyObjectResult[] = []
let given = 0

/** A key that differs from those of the previous seven calls. */
export function rsaKeys(): KeyPairKeyObjectResult {
  const n = given++ % KEYS_MAX
  made[n] ??= generateKeyPairSync('rsa', { modulusLength: 2048 })
  return made[n]
}

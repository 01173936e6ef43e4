// RSA keys for tests. A key takes a tenth of a second to make, so tests of one process share a few.
import { generateKeyPairSync, type KeyPairKeyObjectResult } from 'node:crypto'

/** No test has more parties than this that must have different keys. */
const KEYS_MAX = 8
const made: KeyPairKeyObjectResult[] = []
let given = 0

/** Another key than the seven calls before it returned. */
export function rsaKeys(): KeyPairKeyObjectResult {
  const n = given++ % KEYS_MAX
  made[n] ??= generateKeyPairSync('rsa', { modulusLength: 2048 })
  return made[n]
}

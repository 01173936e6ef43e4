import { createHash } from 'node:crypto'

export function keyOfFile(passphrase, vector) {
  return createHash('md5').update(passphrase).update(vector).digest()
}

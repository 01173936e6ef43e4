// The PostgreSQL driver, repaired. Unrepaired, a lost connection can end the process, or let a transaction go on in
// somebody else's, and an answer can go to who did not ask: so a service without the repairs does not start.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import postgres from 'postgres'
import { assert } from '../../kernel/assert.ts'

// Node names the CommonJS twin here; the modules we import lie beside it.
const twin = createRequire(import.meta.url).resolve('postgres')
for (const [file, repair] of [
  ['index.js', 'lost = e'],
  ['connection.js', 'sent.remove(q)'],
] as const)
  assert(
    readFileSync(join(dirname(twin), '../../src', file), 'utf8').includes(repair),
    'the PostgreSQL driver lacks its repairs: run `node scripts/mend.mjs` after installing dependencies',
  )

export { postgres }

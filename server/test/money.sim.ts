// `node server/test/money.sim.ts`: random histories of money over two replicas, compared with a small model.
//   --seed n         the same history again
//   --operations n   how long it is, default 200000
//   --lanes n        how many organisations live at once, default 64
//   --bug name       with one of the planted bugs, to see it caught
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { startEmbedded } from '../src/platform/db/embedded/embedded.ts'
import { migrate } from '../src/platform/db/migrate.ts'
import { bugs } from './money/bugs.ts'
import { simulate } from './money/simulate.ts'

const { values: options } = parseArgs({
  options: {
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    operations: { type: 'string', default: '200000' },
    lanes: { type: 'string', default: '64' },
    bug: { type: 'string' },
  },
})
const say = (line: string) => process.stderr.write(`${line}\n`)
const bug = bugs.find(({ name }) => name === options.bug)
if (options.bug && !bug) {
  say(`There is no bug of this name; there are:\n${bugs.map(({ name }) => name).join('\n')}`)
  process.exit(2)
}

const dir = mkdtempSync(join(tmpdir(), 'cowrie-money-'))
const database = await startEmbedded({
  dir: join(dir, 'db'),
  log: () => undefined,
  settings: { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' },
})
try {
  await migrate(database.url)
  say(`seed ${options.seed}`)
  const begun = performance.now()
  const { operations, races, byKind } = await simulate(database.url, {
    seed: Number(options.seed),
    operations: Number(options.operations),
    lanes: Number(options.lanes),
    say,
    ...(bug && { planted: bug.plant() }),
  })
  const seconds = (performance.now() - begun) / 1_000
  say([...byKind].map(([kind, count]) => `${kind} ${count}`).join(', '))
  say(`${operations} operations, ${races} races, no breach; ${Math.round(operations / seconds)} a second`)
} catch (error) {
  say(error instanceof Error ? error.message : String(error))
  process.exitCode = 1
} finally {
  await database.stop()
  rmSync(dir, { recursive: true, force: true, maxRetries: 5 })
}

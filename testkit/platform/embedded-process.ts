// A process that starts the embedded database, for tests that kill it. Each line of its output is JSON.
import { writeSync } from 'node:fs'
import { startEmbedded } from '@cowrie/server/src/platform/db/embedded/embedded.ts'
import { openPool } from '@cowrie/server/src/platform/db/pool.ts'

const [dir = '', task = 'hold'] = process.argv.slice(2)

// Written synchronously, because printed lines count as acknowledged commits.
const print = (line: object): void => void writeSync(1, `${JSON.stringify(line)}\n`)

try {
  const { url, pid } = await startEmbedded({ dir, log: () => undefined })
  print({ url, pid })
  if (task === 'write') await write(url)
  // Ends with its test if the test does not kill it. With `leave`, the process simply ends here.
  if (task !== 'leave') process.stdin.resume().on('end', () => process.exit())
} catch (error) {
  print({ refused: error instanceof Error ? error.message : String(error) })
  process.exitCode = 1
}

async function write(url: string): Promise<void> {
  const sql = openPool(url, { max: 4 })
  await sql.rows`create table if not exists kept (id bigint generated always as identity primary key)`
  for (let round = 0; round < 100_000; round++) {
    const rows = await Promise.all(
      Array.from({ length: 4 }, () => sql.rows<{ id: bigint }>`insert into kept default values returning id`),
    )
    for (const [row] of rows) print({ kept: row && String(row.id) })
  }
}

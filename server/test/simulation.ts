// What the simulations have in common on the command line: a planted bug by its name, and a database for one run.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startEmbedded } from '../src/platform/db/embedded/embedded.ts'
import { migrate } from '../src/platform/db/migrations/migrate.ts'

export const say = (line: string): void => void process.stderr.write(`${line}\n`)

/** The one that was asked for, if any. A name that is none ends the process and says which there are. */
export function bugNamed<T extends { readonly name: string }>(
  bugs: readonly T[],
  name: string | undefined,
): T | undefined {
  const bug = bugs.find((each) => each.name === name)
  if (name && !bug) {
    say(`There is no bug of this name; there are:\n${bugs.map((each) => each.name).join('\n')}`)
    process.exit(2)
  }
  return bug
}

/** Runs over a fresh database, which is gone afterwards. A breach is told, and is the exit code. */
export async function runOnce(name: string, run: (url: string) => Promise<void>): Promise<void> {
  const dir = mkdtempSync(join(tmpdir(), `cowrie-${name}-`))
  const database = await startEmbedded({
    dir: join(dir, 'db'),
    log: () => undefined,
    settings: { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' },
  })
  try {
    await migrate(database.url)
    await run(database.url)
  } catch (error) {
    say(error instanceof Error ? error.message : String(error))
    process.exitCode = 1
  } finally {
    await database.stop()
    rmSync(dir, { recursive: true, force: true, maxRetries: 5 })
  }
}

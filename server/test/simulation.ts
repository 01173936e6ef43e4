// Shared by the simulation commands: selection of a planted bug, and a temporary database.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startCampaignDatabase } from '../cluster/citus/database.ts'
import { migrate } from '../src/platform/db/migrations/migrate.ts'

export const say = (line: string): void => void process.stderr.write(`${line}\n`)

/** The bug with this name, if one is given. An unknown name prints the known ones and ends the process. */
export function bugNamed<T extends { readonly name: string }>(
  bugs: readonly T[],
  name: string | undefined,
): T | undefined {
  const bug = bugs.find((each) => each.name === name)
  if (name && !bug) {
    say(`Unknown bug. Choose from:\n${bugs.map((each) => each.name).join('\n')}`)
    process.exit(2)
  }
  return bug
}

/** Runs with a temporary database. A violation is printed and sets the exit code. */
export async function runOnce(
  name: string,
  run: (url: string, adminUrl: string) => Promise<void>,
  /** Nodes of Citus; 0 for the embedded database. */
  workers = 0,
): Promise<void> {
  const dir = mkdtempSync(join(tmpdir(), `cowrie-${name}-`))
  const database = await startCampaignDatabase({
    dir: join(dir, 'db'),
    workers,
    settings: { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' },
  })
  try {
    await migrate(database.url)
    await run(database.url, database.adminUrl)
  } catch (error) {
    say(error instanceof Error ? error.message : String(error))
    process.exitCode = 1
  } finally {
    await database.stop()
    rmSync(dir, { recursive: true, force: true, maxRetries: 5 })
  }
}

// A data folder after the first start of the service, for tests that do not test the first start.
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { startEmbedded } from '@cowrie/server/src/platform/db/embedded/embedded.ts'
import { migrate } from '@cowrie/server/src/platform/db/migrations/migrate.ts'
import { scratchFolder } from './scratch-folder.ts'

/** Creates a folder with a migrated database. */
export async function makeDataFolder(): Promise<string> {
  const folder = scratchFolder()
  const database = await startEmbedded({
    dir: join(folder, 'postgres'),
    log: () => undefined,
    settings: { fsync: 'off' },
  })
  await migrate(database.url)
  await database.stop()
  return folder
}

/** Copies the folder with owners and modes, because PostgreSQL requires them. */
export function copyDataFolder(from: string, to: string): void {
  execFileSync('cp', ['-a', `${from}/.`, to])
}

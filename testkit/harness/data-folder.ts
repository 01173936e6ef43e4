// A data folder as the first start of the service leaves it, for tests whose subject is not the first start.
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { startEmbedded } from '@cowrie/server/src/platform/db/embedded/embedded.ts'
import { migrate } from '@cowrie/server/src/platform/db/migrations/migrate.ts'
import { scratchFolder } from './scratch-folder.ts'

/** Makes one with a migrated database. */
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

/** Copies it into a folder, with its owners and modes: PostgreSQL refuses others. */
export function copyDataFolder(from: string, to: string): void {
  execFileSync('cp', ['-a', `${from}/.`, to])
}

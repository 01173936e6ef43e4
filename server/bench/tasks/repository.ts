// Opens a repository of 5,000 files from a fake GitHub on loopback: cold, after a change, and warm.
import { tmpdir } from 'node:os'
import { manyFiles, startRepositoryWorld } from '@cowrie/testkit/tasks/repository-world.ts'

export type RepositoryRow = { readonly name: string; readonly ms: number }

const FILES = 5_000
const CHANGED = 20

export async function benchRepository(): Promise<RepositoryRow[]> {
  const world = await startRepositoryWorld(tmpdir())
  try {
    const files = manyFiles(FILES)
    const { open, push, resolve } = world.addRepo(files)
    const rows: RepositoryRow[] = []
    const measure = async (name: string, app = world.app) => {
      const { commit } = await resolve()
      const startedAt = performance.now()
      const snapshot = await open({ app, commit })
      rows.push({ name, ms: performance.now() - startedAt })
      snapshot.release()
    }
    // The fake builds its objects and archive before the measurement.
    await open().then((snapshot) => snapshot.release())
    await world.emptyCache()
    await measure('5,000 files, cold')
    await measure('5,000 files, warm')
    await measure('5,000 files, warm, in a new process', world.openReplica())
    const names = Object.keys(files).slice(0, CHANGED)
    push({ ...files, ...Object.fromEntries(names.map((name) => [name, `changed ${name}\n`])) })
    await measure('5,000 files, 20 changed')
    return rows
  } finally {
    await world.close()
  }
}

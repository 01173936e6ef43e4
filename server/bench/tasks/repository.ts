// Opens a repository of 5,000 files from a fake GitHub on loopback: cold, warm, and after a change. For comparison, the same files
// are written to a new folder.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { DEFAULT_BRANCH } from '@cowrie/testkit/fakes/github/state.ts'
import { openWorkspace } from '../../src/tasks/workspace/open-workspace.ts'
import { median } from '../http/rounds.ts'
import type { WorkspaceBench } from './workspaces.ts'

export type Timing = { readonly name: string; readonly ms: number }

const CHANGED = 20

export async function benchRepository(bench: WorkspaceBench, rounds: number): Promise<Timing[]> {
  const { server, repo, files, createTask } = bench
  const { app } = server
  const cached = join(app.config.dataDir, 'repositories')
  const { signal } = new AbortController()
  const open = async () => {
    const task = await createTask()
    return timed(async () => (await openWorkspace(app, task, signal)).close())
  }
  // The fake builds its objects and archive before the measurement.
  await open()
  const times = {
    written: [] as number[],
    cold: [] as number[],
    warm: [] as number[],
    changed: [] as number[],
  }
  for (let round = 0; round < rounds; round++) {
    times.written.push(await timed(async () => writeAll(files)))
    await rm(cached, { recursive: true, force: true })
    times.cold.push(await open())
    times.warm.push(await open())
    const names = Object.keys(files).slice(0, CHANGED)
    const changed = names.map((name) => [name, `changed in round ${round}\n`] as const)
    repo.commits.set(DEFAULT_BRANCH, { ...files, ...Object.fromEntries(changed) })
    times.changed.push(await open())
    repo.commits.set(DEFAULT_BRANCH, files)
  }
  return [
    { name: 'files written to a new folder, for comparison', ms: median(times.written) },
    { name: 'repository, cold', ms: median(times.cold) },
    { name: 'repository, warm', ms: median(times.warm) },
    { name: `repository, ${CHANGED} files changed`, ms: median(times.changed) },
  ]
}

function writeAll(files: Readonly<Record<string, string>>): void {
  const folder = mkdtempSync(join(tmpdir(), 'cowrie-bench-files-'))
  const made = new Set<string>()
  for (const [path, content] of Object.entries(files)) {
    const parent = join(folder, dirname(path))
    if (!made.has(parent)) mkdirSync(parent, { recursive: true })
    made.add(parent)
    writeFileSync(join(folder, path), content)
  }
  rmSync(folder, { recursive: true })
}

export async function timed(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now()
  await work()
  return performance.now() - startedAt
}

// Installs the npm dependencies of the repository: cold is a build in the sandbox, warm finds the layer. For comparison, npm installs
// the same packages without a sandbox.
import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { prepareDependencies, runnableSandboxes, type SandboxTree } from '../../src/sandbox/sandbox.ts'
import { median } from '../http/rounds.ts'
import { type Timing, timed } from './repository.ts'
import type { WorkspaceBench } from './workspaces.ts'

/** Empty where the local sandbox does not work. */
export async function benchPrepare(
  { server, registry }: WorkspaceBench,
  tree: SandboxTree,
  rounds: number,
): Promise<Timing[]> {
  const { app } = server
  if (!(await runnableSandboxes(app)).includes('local')) return []
  const { signal } = new AbortController()
  const prepare = async (orgId: string, isCached: boolean) => {
    const prepared = await prepareDependencies(app, { orgId, tree, signal })
    if (prepared.state === 'ready' && prepared.isCached === isCached) return
    throw new Error(`the dependencies were not prepared: ${JSON.stringify(prepared).slice(0, 2_000)}`)
  }
  const times = { npm: [] as number[], cold: [] as number[], warm: [] as number[] }
  for (let round = 0; round < rounds; round++) {
    times.npm.push(await timed(() => installDirectly(registry.projectFiles(), registry.url)))
    // A layer belongs to an organisation, so each round builds one.
    const orgId = `org_bench_layer${round}`
    times.cold.push(await timed(() => prepare(orgId, false)))
    times.warm.push(await timed(() => prepare(orgId, true)))
  }
  return [
    { name: 'npm without a sandbox, for comparison', ms: median(times.npm) },
    { name: 'dependencies, cold', ms: median(times.cold) },
    { name: 'dependencies, warm', ms: median(times.warm) },
  ]
}

async function installDirectly(files: ReadonlyMap<string, string>, registry: string): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'cowrie-bench-npm-'))
  const cwd = join(folder, 'project')
  mkdirSync(cwd)
  for (const [path, content] of files) writeFileSync(join(cwd, path), content)
  const flags = ['--no-audit', '--no-fund', `--registry=${registry}`, `--cache=${join(folder, 'cache')}`]
  try {
    await promisify(execFile)('npm', ['ci', ...flags], { cwd })
  } finally {
    rmSync(folder, { recursive: true })
  }
}

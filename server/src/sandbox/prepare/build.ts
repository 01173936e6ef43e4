// Builds one layer: installs in a sandbox that reaches only the registries, and stores the result if all went well.
import { lchown, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Registry } from '../../platform/environment/registries.ts'
import type { CommandRun } from '../command-run.ts'
import type { PrepareFailure } from '../dependency-layer.ts'
import { runPlaced } from '../local/local.ts'
import { type LocalTools, NOBODY } from '../local/local-tools.ts'
import { placeInto } from '../local/placement.ts'
import type { SandboxTree } from '../sandbox-tree.ts'
import { collectByName, collectByPath, makeCacheFolder } from './collect.ts'
import type { PreparePlan } from './detect.ts'
import { type LayerFolders, type LayerQuotas, storeLayer } from './layer-store.ts'
import { openRegistryProxy, type RegistryProxy } from './registry-proxy.ts'
import { RELAY_FOLDER } from './relay.ts'
import { endedForMissingTool, installVariables, prepareScript, registriesFor } from './script.ts'
import { measureBytes, watchSize } from './size-watch.ts'

export type BuildInput = {
  readonly tools: LocalTools
  readonly folders: LayerFolders
  readonly quotas: LayerQuotas
  readonly registries: readonly Registry[]
  readonly orgId: string
  readonly id: string
  readonly plan: PreparePlan
  readonly tree: SandboxTree
  readonly signal: AbortSignal
  readonly wallClockMs?: number
}

export type BuildFailure = {
  readonly reason: PrepareFailure
  readonly output: string
  readonly refused: readonly string[]
}

const LIMITS = {
  wallClockMs: 900_000,
  memoryBytes: 2 * 2 ** 30,
  processes: 512,
  // Of the memory disks. What is installed goes to our disk.
  diskBytes: 128 << 20,
  outputBytes: 64 << 20,
}
const ENTRIES_MAX = 500_000
const OUTPUT_MAX = 16_000

/** Null if the layer is stored. `folder` is removed by the caller in any case. */
export async function buildLayer(folder: string, input: BuildInput): Promise<BuildFailure | null> {
  const { tools, quotas, plan } = input
  const user = tools.setpriv === null ? null : NOBODY
  const place = (name: string) => join(folder, name)
  for (const name of ['io', 'work', 'work/project', 'work/home', 'layer', 'layer/project', 'layer/home']) {
    await mkdir(place(name), { mode: 0o755 })
    if (user !== null && !/^(io|work|layer)$/.test(name)) await lchown(place(name), user, user)
  }
  const stop = new AbortController()
  const registries = registriesFor(input.registries, plan.steps)
  const proxy = await openRegistryProxy({
    registries,
    folder: place('io'),
    user,
    bytesMax: quotas.layerBytes * 2,
    onTooMuch: () => stop.abort(),
  })
  try {
    const installed = await install(folder, input, registries, stop)
    const failure = findFailure(installed, proxy, input.signal)
    return failure ?? (await finish(folder, input, user, proxy))
  } finally {
    await proxy.close()
  }
}

type Installed = { readonly run: CommandRun; readonly isTooLarge: boolean }

async function install(
  folder: string,
  { tools, quotas, plan, tree, signal, wallClockMs = LIMITS.wallClockMs }: BuildInput,
  registries: readonly Registry[],
  stop: AbortController,
): Promise<Installed> {
  const work = join(folder, 'work')
  const mounts = {
    project: { kind: 'shared', folder: join(work, 'project') },
    home: { kind: 'shared', folder: join(work, 'home') },
    readOnly: [{ from: join(folder, 'io'), to: RELAY_FOLDER }],
    memoryDisks: [],
  } as const
  const placement = await placeInto(mounts, tree)
  if ('refused' in placement) return { run: toFailedRun(placement.refused), isTooLarge: false }
  const watch = watchSize(
    work,
    { bytes: quotas.layerBytes + placement.archiveBytes, entries: ENTRIES_MAX, freeBytes: quotas.freeBytes },
    () => stop.abort(),
  )
  try {
    const run = await runPlaced(
      tools,
      {
        command: prepareScript(plan.steps, registries),
        signal: AbortSignal.any([signal, stop.signal]),
        limits: { ...LIMITS, wallClockMs },
      },
      placement,
      installVariables(plan.steps, registries),
      quotas.layerBytes,
    )
    return { run, isTooLarge: await watch.close() }
  } catch (error) {
    await watch.close()
    throw error
  }
}

const toFailedRun = (reason: string): CommandRun => ({
  outcome: 'failed',
  exitCode: null,
  limit: null,
  output: '',
  durationMs: 0,
  reason,
})

function findFailure(
  { run, isTooLarge }: Installed,
  proxy: RegistryProxy,
  signal: AbortSignal,
): BuildFailure | null {
  const refused = proxy.refused()
  const fail = (reason: PrepareFailure, ...notes: readonly string[]): BuildFailure => {
    const text = [run.output.slice(-OUTPUT_MAX), run.reason, ...notes].filter(Boolean).join('\n')
    return { reason, output: text, refused }
  }
  if (isTooLarge || proxy.isTooMuch() || run.limit === 'disk') return fail('too_large')
  if (run.outcome === 'exited' && run.exitCode === 0) return null
  if (run.outcome === 'failed') return fail('no_sandbox')
  if (run.outcome === 'timed_out' || signal.aborted) return fail('timed_out')
  if (run.outcome === 'limit') return fail('command_failed', `It reached its limit of ${run.limit}.`)
  if (endedForMissingTool(run.exitCode, run.output)) return fail('tool_missing')
  const unreachable = proxy.unreachable().map((each) => `No answer from ${each}.`)
  if (unreachable.length > 0) return fail('registry_unreachable', ...unreachable)
  if (proxy.hasForeignHost()) return fail('registry_not_allowed', ...refused)
  return fail('command_failed', ...refused)
}

/** Keeps the installed folders only, and makes them a layer. */
async function finish(
  folder: string,
  { folders, quotas, orgId, id, plan }: BuildInput,
  user: number | null,
  proxy: RegistryProxy,
): Promise<BuildFailure | null> {
  const at = (name: string) => ({
    from: join(folder, 'work', name),
    to: join(folder, 'layer', name),
    user,
  })
  const tools = plan.steps.map(({ tool }) => tool)
  const projectPaths = await collectByName(
    at('project'),
    new Set(tools.flatMap(({ projectOutputs }) => projectOutputs)),
  )
  const homePaths = await collectByPath(
    at('home'),
    tools.flatMap(({ homeOutputs }) => homeOutputs),
  )
  for (const path of projectPaths)
    if (/(^|\/)node_modules$/.test(path)) await makeCacheFolder(at('project'), path)
  const built = join(folder, 'layer')
  const bytes = await measureBytes(built)
  const refused = proxy.refused()
  const record = { tool: plan.tool, projectPaths, homePaths, bytes, refused }
  const fits = bytes <= quotas.layerBytes && (await storeLayer(folders, quotas, { orgId, id, built, record }))
  return fits ? null : { reason: 'too_large', output: `The dependencies take ${bytes} bytes.`, refused }
}

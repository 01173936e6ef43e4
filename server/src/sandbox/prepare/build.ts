// Builds one layer: installs in a sandbox that reaches only the registries, and stores the result if all went well.
import { lchown, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Registry } from '../../platform/environment/registries.ts'
import { type CommandRun, failedRun } from '../command-run.ts'
import type { PrepareFailure } from '../dependency-layer.ts'
import { runPlaced } from '../local/local.ts'
import { type LocalTools, NOBODY } from '../local/local-tools.ts'
import { placeInto } from '../local/placement.ts'
import type { SandboxTree } from '../sandbox-tree.ts'
import { collectByName, collectByPath, makeCacheFolder, removeOwnFiles } from './collect.ts'
import type { PreparePlan } from './detect.ts'
import { type LayerFolders, type LayerQuotas, storeLayer } from './layer-store.ts'
import type { ProxyRecord } from './proxy-record.ts'
import { openRegistryProxy } from './registry-proxy.ts'
import { RELAY_FOLDER } from './relay.ts'
import {
  blamesRegistry,
  endedForMissingTool,
  installVariables,
  prepareScript,
  registriesFor,
} from './script.ts'
import { measureBytes, type SizeExcess, watchSize } from './size-watch.ts'

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
  // Of the memory disks. Installed files go to our disk.
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
    onGiveUp: () => stop.abort(),
  })
  try {
    const installed = await install(folder, input, registries, stop)
    const failure = findFailure(installed, proxy.record, input.signal)
    return failure ?? (await finish(folder, input, user, installed.emptied, proxy.record.refused()))
  } finally {
    await proxy.close()
  }
}

type Installed = {
  readonly run: CommandRun
  readonly excess: SizeExcess | null
  /** Files of the project that had no content. */
  readonly emptied: readonly string[]
}

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
  const emptied: string[] = []
  const isEmptied = (path: string) => {
    const isHidden = !plan.isReadable(path)
    if (isHidden) emptied.push(path)
    return isHidden
  }
  const placement = await placeInto(mounts, tree, isEmptied)
  if ('refused' in placement) return { run: failedRun(placement.refused), excess: null, emptied }
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
    return { run, excess: await watch.close(), emptied }
  } catch (error) {
    await watch.close()
    throw error
  }
}

function findFailure(
  { run, excess }: Installed,
  proxy: ProxyRecord,
  signal: AbortSignal,
): BuildFailure | null {
  const refused = proxy.refused()
  const fail = (reason: PrepareFailure, ...notes: readonly string[]): BuildFailure => {
    const text = [run.output.slice(-OUTPUT_MAX), run.reason, ...notes].filter(Boolean).join('\n')
    return { reason, output: text, refused }
  }
  if (excess === 'disk') return fail('no_sandbox', 'The disk of the service is almost full.')
  if (excess === 'size' || proxy.isTooMuch() || run.limit === 'disk') return fail('too_large')
  if (run.outcome === 'exited' && run.exitCode === 0) return null
  if (run.outcome === 'failed') return fail('no_sandbox')
  if (signal.aborted) return fail('timed_out')
  const unreachable = proxy.unreachable()
  if (run.outcome === 'cancelled') return fail('registry_unreachable', ...unreachable)
  if (run.outcome === 'timed_out') return fail('timed_out', ...unreachable)
  if (run.outcome === 'limit') return fail('command_failed', `It reached its limit of ${run.limit}.`)
  if (endedForMissingTool(run.exitCode, run.output)) return fail('tool_missing')
  if (unreachable.length > 0 || blamesRegistry(run.output))
    return fail('registry_unreachable', ...unreachable)
  if (proxy.hasForeignHost()) return fail('registry_not_allowed', ...refused)
  return fail('command_failed', ...refused)
}

/** Keeps the installed folders only, and makes them a layer. */
async function finish(
  folder: string,
  { folders, quotas, orgId, id, plan }: BuildInput,
  user: number | null,
  emptied: readonly string[],
  refused: readonly string[],
): Promise<BuildFailure | null> {
  const at = (name: string) => ({
    from: join(folder, 'work', name),
    to: join(folder, 'layer', name),
    user,
  })
  const tools = plan.steps.map(({ tool }) => tool)
  const outputs = new Set(tools.flatMap(({ projectOutputs }) => projectOutputs))
  await removeOwnFiles(at('project').from, emptied, outputs)
  const projectPaths = await collectByName(at('project'), outputs)
  const homePaths = await collectByPath(
    at('home'),
    tools.flatMap(({ homeOutputs }) => homeOutputs),
  )
  for (const path of projectPaths)
    if (/(^|\/)node_modules$/.test(path)) await makeCacheFolder(at('project'), path)
  const built = join(folder, 'layer')
  const bytes = await measureBytes(built)
  const record = { tool: plan.tool, projectPaths, homePaths, bytes, refused }
  const fits = bytes <= quotas.layerBytes && (await storeLayer(folders, quotas, { orgId, id, built, record }))
  return fits ? null : { reason: 'too_large', output: `The dependencies take ${bytes} bytes.`, refused }
}

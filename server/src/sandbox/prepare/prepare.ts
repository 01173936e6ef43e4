// Installs the dependencies of a project once per organisation and lockfile, for later runs without a network.
import { createHash } from 'node:crypto'
import type { App } from '../../platform/app.ts'
import type { PreparedDependencies } from '../dependency-layer.ts'
import type { LocalTools } from '../local/local-tools.ts'
import { findSandbox } from '../probe.ts'
import type { SandboxTree } from '../sandbox-tree.ts'
import { acquireBuildSlot } from '../slots.ts'
import { type BuildFailure, type BuildInput, buildLayer } from './build.ts'
import { lockBuild, sweepBuilds } from './build-lock.ts'
import { detectPrepare, type PreparePlan, planCommand } from './detect.ts'
import {
  DEFAULT_QUOTAS,
  findLayer,
  type LayerFolders,
  type LayerQuotas,
  layerFolders,
  removeLayersOf,
  removeUnusedLayers,
  type StoredLayer,
} from './layer-store.ts'
import { offlineVariables } from './script.ts'

export type PrepareInput = {
  readonly orgId: string
  readonly tree: SandboxTree
  /** Replaces the detected commands. Runs in the root of the tree. */
  readonly command?: string
  readonly signal: AbortSignal
}

export type PrepareOptions = { readonly quotas?: LayerQuotas; readonly wallClockMs?: number }

/** Never throws for failures of the command, the registries or the sandbox. */
export async function prepareDependencies(
  app: App,
  { orgId, tree, command, signal }: PrepareInput,
  options: PrepareOptions = {},
): Promise<PreparedDependencies> {
  const startedAt = performance.now()
  const registries = app.config.sandboxRegistries
  if (registries === null) return { state: 'none' }
  const detected = await detectPrepare(tree)
  const plan = command === undefined ? detected : await planCommand(tree, command, detected)
  if (plan === null) return { state: 'none' }
  const { tools, doubt } = await findLocal(app)
  if (tools === null) return toFailure(plan, { reason: 'no_sandbox', output: doubt, refused: [] })
  const folders = layerFolders(app.config.dataDir)
  await sweepFirst(folders)
  const id = createHash('sha256').update(`${orgId}\n${plan.inputs}`).digest('hex')
  const known = await findLayer(folders, orgId, id)
  if (known !== null) return toReady(plan, id, known, { isCached: true, startedAt })
  const key = `${folders.layers}/${id} ${JSON.stringify(registries)}`
  const recent = findRecentFailure(key)
  if (recent !== null) return toFailure(plan, recent)
  const { quotas = DEFAULT_QUOTAS, ...rest } = options
  const onError = (error: unknown) =>
    app.log.error({ err: error, orgId, tool: plan.tool }, 'sandbox.prepare.crashed')
  const failure = await shareBuild(
    { tools, folders, quotas, registries, orgId, id, plan, tree, onError, ...rest },
    signal,
  )
  if (failure !== null) {
    rememberFailure(key, failure)
    app.log.info({ orgId, tool: plan.tool, reason: failure.reason }, 'sandbox.prepare.failed')
    return toFailure(plan, failure)
  }
  const built = await findLayer(folders, orgId, id)
  if (built === null)
    return toFailure(plan, { reason: 'no_sandbox', output: 'The layer disappeared.', refused: [] })
  return toReady(plan, id, built, { isCached: false, startedAt })
}

/** Failures that come from the project. Those of a registry or of ours are tried again at once. */
const LASTING: ReadonlySet<string> = new Set(['command_failed', 'registry_not_allowed', 'too_large'])
const REMEMBERED_MS = 120_000
const REMEMBERED_MAX = 200
const failures = new Map<string, { readonly failure: BuildFailure; readonly atMs: number }>()

/** For the next runs of the same turn, which would only repeat the same failure, after the same wait. */
function rememberFailure(key: string, failure: BuildFailure): void {
  if (!LASTING.has(failure.reason)) return
  const [oldest = ''] = failures.keys()
  if (failures.size >= REMEMBERED_MAX) failures.delete(oldest)
  failures.set(key, { failure, atMs: performance.now() })
}

function findRecentFailure(key: string): BuildFailure | null {
  const found = failures.get(key)
  return found !== undefined && performance.now() - found.atMs < REMEMBERED_MS ? found.failure : null
}

const swept = new Set<string>()

/** Once per process, also if all layers are cached: an earlier process may have been killed while it built. */
async function sweepFirst(folders: LayerFolders): Promise<void> {
  if (swept.has(folders.building)) return
  swept.add(folders.building)
  await sweepBuilds(folders)
}

/** Removes all prepared dependencies of an organisation. */
export const removeDependencies = (app: App, orgId: string): Promise<void> =>
  removeLayersOf(layerFolders(app.config.dataDir), orgId)

async function findLocal(app: App): Promise<{ tools: LocalTools | null; doubt: string }> {
  const sandbox = await findSandbox(app, 'local')
  if (sandbox.run === null || sandbox.tools === undefined)
    return { tools: null, doubt: `Dependencies need the local sandbox: ${sandbox.doubt}.` }
  return { tools: sandbox.tools, doubt: '' }
}

const toFailure = ({ tool }: PreparePlan, failure: BuildFailure): PreparedDependencies => ({
  state: 'failed',
  tool,
  ...failure,
})

const toReady = (
  { tool, lockfiles, steps }: PreparePlan,
  id: string,
  { folder, projectPaths, homePaths, refused }: StoredLayer,
  { isCached, startedAt }: { isCached: boolean; startedAt: number },
): PreparedDependencies => ({
  state: 'ready',
  layer: { id, tool, folder, projectPaths, homePaths, environment: offlineVariables(steps) },
  tool,
  lockfiles,
  isCached,
  durationMs: Math.round(performance.now() - startedAt),
  refused,
})

type SharedInput = Omit<BuildInput, 'signal'> & { readonly onError: (error: unknown) => void }

type SharedBuild = {
  readonly result: Promise<BuildFailure | null>
  readonly stop: AbortController
  callers: number
}

const builds = new Map<string, SharedBuild>()

/** Callers of this process share one build. It stops when the last of them gives up. */
async function shareBuild(input: SharedInput, signal: AbortSignal): Promise<BuildFailure | null> {
  const key = `${input.folders.layers}/${input.id}`
  const build = builds.get(key) ?? startBuild(key, input)
  build.callers++
  const leave = () => {
    if (--build.callers === 0) build.stop.abort()
  }
  if (signal.aborted) leave()
  else signal.addEventListener('abort', leave, { once: true })
  try {
    return await Promise.race([build.result, whenAborted(signal)])
  } finally {
    signal.removeEventListener('abort', leave)
  }
}

const STOPPED: BuildFailure = { reason: 'timed_out', output: 'The installation was stopped.', refused: [] }

const whenAborted = (signal: AbortSignal): Promise<BuildFailure> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve(STOPPED)
    else signal.addEventListener('abort', () => resolve(STOPPED), { once: true })
  })

const CRASHED: BuildFailure = {
  reason: 'no_sandbox',
  output: 'The installation failed on our side.',
  refused: [],
}

function startBuild(key: string, input: SharedInput): SharedBuild {
  const stop = new AbortController()
  const result = runBuild({ ...input, signal: stop.signal })
    .catch((error: unknown) => {
      input.onError(error)
      return CRASHED
    })
    .finally(() => builds.delete(key))
  const build = { result, stop, callers: 0 }
  builds.set(key, build)
  return build
}

async function runBuild(input: BuildInput): Promise<BuildFailure | null> {
  const { folders, quotas, orgId, id, signal } = input
  await sweepBuilds(folders)
  await removeUnusedLayers(folders, quotas)
  const isDone = async () => (await findLayer(folders, orgId, id)) !== null
  const lock = await lockBuild(folders, `${orgId}.${id}`, { isDone, signal })
  if (lock === null) return signal.aborted ? STOPPED : null
  try {
    // Another replica may have finished just before the lock was free.
    if (await isDone()) return null
    const leave = await acquireBuildSlot({ owner: orgId, signal })
    if (leave === null)
      return signal.aborted
        ? STOPPED
        : { reason: 'no_sandbox', output: 'Too many installations are waiting.', refused: [] }
    try {
      return await buildLayer(lock.folder, input)
    } finally {
      leave()
    }
  } finally {
    await lock.release()
  }
}

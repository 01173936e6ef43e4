// Public API of the sandboxes: runs untrusted commands in isolation.
import { ApiError } from '../kernel/errors.ts'
import type { App } from '../platform/app.ts'
import { type CommandInput, type CommandRun, cancelledRun, failedRun } from './command-run.ts'
import { findDocker } from './docker/docker.ts'
import { runLocally } from './local/local.ts'
import { findLocalTools } from './local/local-tools.ts'
import { probeLocalSandbox, withOverlay } from './self-test.ts'
import { acquireSlot, type SlotRequest } from './slots.ts'

export { isCleanPath, packFiles } from './archive.ts'
export type { CommandLimits, CommandRun } from './command-run.ts'
export type { DependencyLayer, PreparedDependencies } from './dependency-layer.ts'
export { prepareDependencies } from './prepare/prepare.ts'
export { condenseOutput, readTestReport, type TestReport } from './reporters/test-report.ts'
export type { SandboxTree } from './sandbox-tree.ts'
export { type DetectedTestCommand, detectTestCommand } from './test-command.ts'

/** `none` runs nothing. */
export type SandboxKind = 'none' | 'local' | 'docker'

/** The sandboxes that work here now. */
export async function runnableSandboxes(app: App): Promise<SandboxKind[]> {
  const [local, docker] = await Promise.all([findSandbox(app, 'local'), findSandbox(app, 'docker')])
  return [
    'none',
    ...(local.run === null ? [] : ['local' as const]),
    ...(docker.run === null ? [] : ['docker' as const]),
  ]
}

/** Refuses a sandbox that does not work here, and names those that do. A run never falls back to another sandbox. */
export async function requireSandbox(app: App, kind: SandboxKind): Promise<void> {
  // `none` needs no tools. The requested sandbox is probed before the others.
  if (kind === 'none' || (await findSandbox(app, kind)).run !== null) return
  throw new ApiError('sandbox_unavailable', { sandboxes: await runnableSandboxes(app) })
}

export type RunCommandInput = CommandInput &
  Omit<SlotRequest, 'signal'> & { readonly kind: Exclude<SandboxKind, 'none'> }

/**
 * Runs a command on a fresh copy of the files. Never throws for failures of the command or the sandbox: see
 * `outcome`.
 */
export async function runCommand(
  app: App,
  { kind, owner, ignoresQueueLimit, ...input }: RunCommandInput,
): Promise<CommandRun> {
  const { run, doubt } = await findSandbox(app, kind)
  if (run === null) return failedRun(`this sandbox cannot run here: ${doubt}`)
  const leave = await acquireSlot({
    owner,
    signal: input.signal,
    ...(ignoresQueueLimit && { ignoresQueueLimit }),
  })
  if (leave === null) return input.signal.aborted ? cancelledRun() : failedRun('too many runs are waiting')
  try {
    return await run(input)
  } catch (error) {
    app.log.error({ kind, error }, 'agent.sandbox.run_failed')
    return failedRun('the sandbox failed')
  } finally {
    leave()
  }
}

type CommandRunner = (input: CommandInput) => Promise<CommandRun>
type SandboxProbe =
  | { readonly run: CommandRunner; readonly doubt: null }
  | { readonly run: null; readonly doubt: string }

const FRESH_MS = 60_000
const probes = new WeakMap<App, Map<string, { atMs: number; sandbox: Promise<SandboxProbe> }>>()

/** Probed once a minute, so that installed or broken tools are noticed. */
function findSandbox(app: App, kind: 'local' | 'docker'): Promise<SandboxProbe> {
  const known = probes.get(app) ?? new Map()
  probes.set(app, known)
  const nowMs = app.clock.now().getTime()
  const last = known.get(kind)
  if (last !== undefined && nowMs - last.atMs < FRESH_MS) return last.sandbox
  const sandbox = probeSandbox(app, kind)
  known.set(kind, { atMs: nowMs, sandbox })
  return sandbox
}

async function probeSandbox(app: App, kind: 'local' | 'docker'): Promise<SandboxProbe> {
  const isOn = app.config.sandbox[kind]
  if (isOn === false) return { run: null, doubt: 'it is switched off' }
  try {
    const sandbox = await (kind === 'local' ? probeLocal(app) : findDocker(app.config))
    // A missing sandbox is worth a warning only if it is switched on explicitly.
    if (sandbox.doubt !== null && isOn === true)
      app.log.warn({ kind, doubt: sandbox.doubt }, 'agent.sandbox.unusable')
    return sandbox
  } catch (error) {
    app.log.error({ kind, error }, 'agent.sandbox.probe_failed')
    return { run: null, doubt: 'it could not be tested' }
  }
}

async function probeLocal(app: App): Promise<SandboxProbe> {
  const found = await findLocalTools()
  if ('missing' in found) return { run: null, doubt: found.missing }
  const own = { ...found, ownFolder: app.config.dataDir }
  // If groups can be created but not joined, run without them.
  const choices = own.groups === null ? [own] : [own, { ...own, groups: null }]
  let doubt: string | null = null
  for (const choice of choices) {
    doubt = await probeLocalSandbox(choice)
    if (doubt !== null) continue
    const tools = await withOverlay(choice)
    return { run: (input) => runLocally(tools, input), doubt }
  }
  return { run: null, doubt: doubt ?? 'it was not tested' }
}

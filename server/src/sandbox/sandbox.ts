// Public API of the sandboxes: runs untrusted commands in isolation.
import { ApiError } from '../kernel/errors.ts'
import type { App } from '../platform/app.ts'
import { type CommandInput, type CommandRun, cancelledRun, failedRun } from './command-run.ts'
import { useLayer } from './prepare/layer-store.ts'
import { findSandbox } from './probe.ts'
import { acquireSlot, type SlotRequest } from './slots.ts'

export { isCleanPath, packFiles } from './archive.ts'
export type { CommandLimits, CommandRun } from './command-run.ts'
export type { DependencyLayer, PreparedDependencies } from './dependency-layer.ts'
export { prepareDependencies, removeDependencies } from './prepare/prepare.ts'
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
  const release = input.layer && (await useLayer(input.layer))
  const leave = await acquireSlot({
    owner,
    signal: input.signal,
    ...(ignoresQueueLimit && { ignoresQueueLimit }),
  })
  try {
    if (leave === null) return input.signal.aborted ? cancelledRun() : failedRun('too many runs are waiting')
    return await run(input)
  } catch (error) {
    app.log.error({ kind, error }, 'agent.sandbox.run_failed')
    return failedRun('the sandbox failed')
  } finally {
    leave?.()
    release?.()
  }
}

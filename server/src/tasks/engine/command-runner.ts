// Runs commands of the model on the files of the workspace, offline, with the dependencies of the project.
import type { App } from '../../platform/app.ts'
import { type CommandRun, prepareDependencies, runCommand, runnableSandboxes } from '../../sandbox/sandbox.ts'
import {
  report,
  SupersededError,
  type TurnContext,
  type TurnState,
  withFence,
} from '../steps/turn-context.ts'
import type { OpenWorkspace } from '../workspace/open-workspace.ts'

export type CommandRunner = (command: string, timeoutMs: number) => Promise<CommandRun>

/** The sandbox that works here; null if none does. */
export async function chooseSandbox(app: App): Promise<'local' | 'docker' | null> {
  const kinds = await runnableSandboxes(app)
  return kinds.includes('local') ? 'local' : kinds.includes('docker') ? 'docker' : null
}

export function createCommandRunner(
  context: TurnContext,
  state: Pick<TurnState, 'task' | 'turn'>,
  workspace: OpenWorkspace,
): CommandRunner {
  const { app, orgId, work } = context
  const { signal } = work
  return async (command, timeoutMs) => {
    const kind = await chooseSandbox(app)
    if (kind === null) return unavailable()
    const { tree } = workspace
    await announce(context, state)
    const prepared = await prepareDependencies(app, { orgId, tree, signal })
    const layer = prepared.state === 'ready' ? { layer: prepared.layer } : {}
    const run = await runCommand(app, {
      kind,
      owner: orgId,
      tree,
      command,
      signal,
      limits: { wallClockMs: timeoutMs },
      ignoresQueueLimit: true,
      ...layer,
    })
    if (prepared.state !== 'failed') return run
    const why = `The dependencies of the project are not installed (${prepared.tool}: ${prepared.reason}).`
    return { ...run, output: `${why}\n${prepared.output}\n\n${run.output}` }
  }
}

/** Preparing dependencies can take minutes, so followers see that it continues. */
async function announce(context: TurnContext, state: Pick<TurnState, 'task' | 'turn'>): Promise<void> {
  try {
    await withFence(context, (tx) =>
      report(tx, context, state, [{ kind: 'status', status: 'running', note: 'preparing' }]),
    )
  } catch (error) {
    if (error instanceof SupersededError) throw error
    context.app.log.warn({ err: error, turnId: state.turn.id }, 'tasks.event.store_failed')
  }
}

const unavailable = (): CommandRun => ({
  outcome: 'failed',
  exitCode: null,
  limit: null,
  output: '',
  durationMs: 0,
  reason: 'commands cannot run on this server',
})

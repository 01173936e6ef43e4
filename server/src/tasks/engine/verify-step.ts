// Verifies the changes of a turn, and stores the result as a step.

import {
  report,
  SupersededError,
  type TurnContext,
  type TurnState,
  withFence,
} from '../steps/turn-context.ts'
import { finishStep, lastStepNumber } from '../steps-sql.ts'
import { learnSecrets } from '../tools/search/learn-secrets.ts'
import type { TurnVerification } from '../verify/types.ts'
import { verifyTurn } from '../verify/verify.ts'
import { chooseSandbox } from './command-runner.ts'

/** Null where there is nothing to verify: no changes, or the files are with the caller. */
export async function runVerification(
  context: TurnContext,
  state: TurnState,
): Promise<TurnVerification | null> {
  const { app, orgId, work, mask } = context
  const { task, turn, turns } = state
  const workspace = await context.workspace()
  const changedPaths = workspace?.changedSince(turn.firstChange) ?? []
  if (!workspace || changedPaths.length === 0) return null
  await withFence(context, (tx) =>
    report(tx, context, state, [{ kind: 'status', status: 'running', note: 'verifying' }]),
  )
  const before = workspace.treeAt(turn.firstChange)
  const learning = learnSecrets({ workspace, mask, orgId, signal: work.signal }, before)
  // A failure is reported by the first text that waits for it.
  learning.catch(() => undefined)
  const verification = await verifyTurn(app, {
    orgId,
    before,
    after: workspace.tree,
    changedPaths,
    command: turn.verifyCommand,
    request: turn.prompt,
    context: [task.instructions ?? '', ...turns.map(({ prompt }) => prompt)].join('\n'),
    sandbox: await chooseSandbox(app),
    hide: async (text) => {
      await learning
      return (await mask.hideOutput('test output', text)).text
    },
    signal: work.signal,
  })
  work.signal.throwIfAborted()
  await withFence(context, async (tx) => {
    // A model call that was refused, such as for the budget, may be the last step and stays unfinished.
    const n = (await lastStepNumber(tx, turn)) + 1
    if (!(await finishStep(tx, turn, 'verify', { n, outcome: verification }))) throw new SupersededError()
    await report(tx, context, state, [])
  })
  return verification
}

// Runs the tests on a state of the files, in a sandbox of its own each time, and says what that has shown.
import { runCommand } from '../sandbox/sandbox.ts'
import { endsProcess, type Judged, judge } from './evidence.ts'
import { decisiveChanges } from './protected.ts'
import type { Loop } from './state.ts'
import { Stopped } from './stops.ts'
import { addedLines, type Workspace } from './workspace.ts'

export type Verification = {
  readonly judged: Judged
  /** Files that decide about the tests and are not as they came, where that was not allowed. */
  readonly decisive: readonly string[]
  /** Passed, also when run again, and by its own merit. */
  readonly isVerified: boolean
}

/** The tests on the files as they came: what failed before anybody touched them. */
export async function runBaseline(loop: Loop): Promise<Judged> {
  return runTests(loop, loop.plan.base, null)
}

/** Runs the tests, and once more when they pass. Throws `Stopped` when they cannot be run or nobody waits any more. */
export async function verify(loop: Loop, baseline: Judged | null): Promise<Verification> {
  const { plan, state } = loop
  const changes = decisiveChanges(plan.base, state.workspace, plan.request.testCmd ?? '')
  const decisive = plan.request.allowTestEdits ? [] : changes
  // Tests that may be changed may also be fewer.
  const before = plan.request.allowTestEdits && changes.length > 0 ? null : baseline
  const first = await runTests(loop, state.workspace, before)
  if (!first.passes || decisive.length > 0) return { judged: first, decisive, isVerified: false }
  const again = await runTests(loop, state.workspace, before)
  return again.passes
    ? { judged: again, decisive, isVerified: true }
    : { judged: unsteady(again), decisive, isVerified: false }
}

async function runTests({ app, plan }: Loop, files: Workspace, baseline: Judged | null): Promise<Judged> {
  const { request, stops, base, id } = plan
  const { sandbox, testCmd } = request
  if (sandbox === 'none' || testCmd === undefined) throw new Stopped('not_verified')
  const run = await runCommand(app, { kind: sandbox, files, command: testCmd, signal: stops.ofTests })
  if (run.outcome === 'cancelled') throw new Stopped(stops.reason() ?? 'cancelled')
  if (run.outcome === 'failed') {
    app.log.warn({ runId: id, reason: run.reason }, 'the tests of a loop could not be run')
    throw new Stopped('sandbox_error')
  }
  return judge(run, { baseline, endsProcess: endsProcess(addedLines(base, files)) })
}

const unsteady = (judged: Judged): Judged => ({
  ...judged,
  excerpt: `The tests passed once and failed when they were run again on the same files.\n\n${judged.excerpt}`,
})

// The end of `cowrie exec`: what it changed, what was declined, its cost and its exit code.
import type { Context } from '../../command.ts'
import { EXIT, type ExitCode } from '../../exit-codes.ts'
import type { Decide, Session, Toolbox, TurnOutcome } from '../../session/types.ts'
import type { Wallet } from '../../spending/limit.ts'
import { formatMoney } from '../../spending/money.ts'
import { yellow } from '../../terminal/line.ts'
import { rowsOf, totalsOf } from '../changes.ts'
import { STOP_REASONS } from '../stop-reasons.ts'
import { sizeText } from '../units.ts'
import type { OpenSession, Work } from '../work.ts'
import type { DeclinedLine } from './lines.ts'
import type { ExecView } from './view.ts'

/** One command: its session, its output, and what it learned. */
export type Execution = {
  readonly context: Context
  readonly work: Work
  readonly wallet: Wallet
  readonly session: Session
  readonly toolbox: Toolbox
  readonly view: ExecView
  readonly decide: Decide
  readonly declined: Omit<DeclinedLine, 'kind'>[]
  /** The turns of this command, oldest first. */
  readonly outcomes: TurnOutcome[]
  readonly startOutput: OpenSession['startOutput']
  readonly afterTurn: OpenSession['afterTurn']
}

/** `verified` is null without `--verify`. Sets the exit code. */
export async function showResult(execution: Execution, verified: boolean | null): Promise<void> {
  const { context, wallet, session, toolbox, view, declined, outcomes } = execution
  const { out } = context
  const last = outcomes.at(-1)
  if (!last) return
  const exit = exitOf(last, { verified, isDeclined: declined.length > 0 })
  context.endWith(exit)
  const turnIds = new Set(outcomes.map(({ turnId }) => turnId))
  const changes = totalsOf((await toolbox.changes()).filter(({ turnId }) => turnIds.has(turnId)))
  const spentMinor = outcomes.reduce((sum, outcome) => sum + outcome.spentMinor, 0n)
  const withheld = outcomes.flatMap((outcome) =>
    outcome.withheld.map(({ path, reason }) => ({ path, reason })),
  )
  const { up, down } = execution.work.bytes()
  view.line({
    kind: 'result',
    taskId: session.taskId,
    turnId: last.turnId,
    stopReason: last.stopReason,
    summary: last.summary,
    verified,
    spentMinor,
    changes,
    declined,
    withheld,
    bytesUp: up,
    bytesDown: down,
    exit,
  })
  if (out.json) return
  if (out.mode.quiet && last.summary !== null) out.result(null, last.summary.split('\n'))
  const reason = STOP_REASONS[last.stopReason]
  if (reason !== undefined) out.warn(reason)
  for (const row of rowsOf(changes)) out.note(row)
  for (const { about, subject } of declined) out.note([yellow('Not allowed: '), `${subject} (${about})`])
  if (declined.length > 0) out.note(DECLINED)
  if (withheld.length > 0)
    out.note(`Kept from the model: ${withheld.map((each) => `${each.path} (${each.reason})`).join(', ')}.`)
  if (verified !== null) out.note(verified ? 'Verified: the command passes.' : 'Not verified.')
  out.note(
    [
      `Cost ${formatMoney(spentMinor, wallet.currency)}`,
      ...(session.meter.balanceMinor === null
        ? []
        : [`Balance ${formatMoney(session.meter.balanceMinor, wallet.currency)}`]),
      `↑ ${sizeText(up)} ↓ ${sizeText(down)}`,
      `session ${session.taskId}`,
    ].join(' · '),
  )
  if (changes.length > 0) out.note('"cowrie undo" takes the changes back.')
}

const EXITS: Readonly<Record<string, ExitCode>> = {
  completed: EXIT.ok,
  stopped: EXIT.cancelled,
  stopping: EXIT.cancelled,
  budget_reached: EXIT.money,
  policy: EXIT.notAllowed,
  upstream_failed: EXIT.network,
}

const DECLINED = 'The task may not be done without these calls. Allow more with --approve or --allow.'

type Doubts = {
  /** Null without `--verify`. */
  readonly verified: boolean | null
  /** Whether calls of the turn were declined. */
  readonly isDeclined: boolean
}

/** A turn with declined calls ends as `completed` also when nothing was done, so only `--verify` shows that it was. */
export function exitOf(
  { stopReason }: Pick<TurnOutcome, 'stopReason'>,
  { verified, isDeclined }: Doubts,
): ExitCode {
  const exit = EXITS[stopReason] ?? EXIT.failed
  if (exit !== EXIT.ok || verified === true) return exit
  if (verified === false) return EXIT.unverified
  return isDeclined ? EXIT.notAllowed : EXIT.ok
}

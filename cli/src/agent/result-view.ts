// Formats a result: changes, warnings and cost.
import { diffOf, type FileDiff } from '../diff/unified.ts'
import { rowOf, totalsOf, viewOf } from '../diff/view.ts'
import type { Result } from '../results/result.ts'
import { costLine, formatMoney } from '../spending/money.ts'
import { dim, green, type Line, yellow } from '../terminal/line.ts'
import { markdownLines } from '../terminal/markdown.ts'
import type { RunOutcome } from './outcome.ts'

export const REASON_TEXTS: Readonly<Record<string, string>> = {
  verified: 'The tests pass.',
  not_verified: 'No test confirms that it works.',
  max_iters: 'It reached the maximum number of iterations.',
  stuck: 'It repeated itself and was stopped.',
  budget: 'It reached the maximum cost.',
  balance: 'The balance was too low for another iteration.',
  cancelled: 'It was stopped.',
  interrupted: 'The service was interrupted.',
  wall_clock: 'It took too long and was stopped.',
  suspended: 'The organisation was suspended.',
  policy: 'It was stopped by a policy of the organisation.',
  sandbox_failed: 'The sandbox failed, so the tests could not be run. Nothing was charged.',
  upstream_error: 'The model failed.',
}

/** Everything except the cost; with the diffs on request. */
export function resultLines(result: Result, { withDiff }: { withDiff: boolean }): Line[] {
  const { kind, summary, warnings, verified, reason } = result
  const diffs = diffsOf(result)
  return [
    ...(summary.trim() === '' ? [] : markdownLines(summary.trim())),
    ...warnings.map((warning) => [yellow('! '), warning]),
    ...(withDiff ? diffs.flatMap(viewOf) : diffs.map((diff) => rowOf(diff))),
    diffs.length === 0 ? 'No files changed.' : totalsOf(diffs),
    ...(kind === 'loop'
      ? [
          [
            verified ? green('verified') : yellow('not verified'),
            dim(reason === null ? '' : `  ${REASON_TEXTS[reason] ?? reason}`),
          ],
        ]
      : []),
  ]
}

/** Compared with the files as sent, not as they are now. */
function diffsOf({ edits, sent }: Result): FileDiff[] {
  const before = new Map(sent.map(({ path, content }) => [path, content]))
  const file = (text: string | undefined) => (text === undefined ? null : { text, isExecutable: false })
  return edits.map(({ path, action, content }) =>
    diffOf(path, file(before.get(path)), file(action === 'delete' ? undefined : content)),
  )
}

/** Undefined when no charge is known. */
export function costText({ result, balanceMinor }: RunOutcome): string | undefined {
  const { costMinor, currency, id } = result
  if (costMinor === null || currency === null) return undefined
  if (balanceMinor === null) return `Cost ${formatMoney(costMinor, currency)} · result ${id}`
  return costLine({ costMinor, balanceMinor, currency, result: id })
}

/** The JSON value: everything except the texts that were sent. */
export function resultJson({ result, balanceMinor }: RunOutcome): Record<string, unknown> {
  const { sent, ...rest } = result
  return { ...rest, sent: sent.map(({ path }) => path), balanceMinor }
}

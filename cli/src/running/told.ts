// What is said of a result: what it changes, what to look out for, and what it has cost.
import { diffLines } from 'diff'
import { costLine, formatMoney } from '../money.ts'
import type { Result } from '../results/result.ts'
import { bold, dim, green, type Line, red, yellow } from '../terminal/line.ts'
import type { Ended } from './ended.ts'

/** Comparing takes long where everything differs; beyond this, lines are counted only. */
const COMPARED_CHARACTERS_MAX = 200_000

export const REASON_WORDS: Readonly<Record<string, string>> = {
  verified: 'The tests pass.',
  not_verified: 'Nothing shows that it works.',
  max_iters: 'It ended after its last try.',
  stuck: 'It went in circles and was ended.',
  budget: 'It ended at the most that it may cost.',
  balance: 'It ended where the balance did not cover another try.',
  cancelled: 'It was stopped.',
  interrupted: 'The service was interrupted.',
  wall_clock: 'It took too long and was ended.',
  suspended: 'The organisation was suspended meanwhile.',
  policy: 'A policy of the organisation ended it.',
  sandbox_error: 'The place where tests run failed.',
  upstream_error: 'The model failed.',
}

/** Everything but the cost. */
export function linesOf({ kind, summary, warnings, verified, reason, edits, sent }: Result): Line[] {
  const before = new Map(sent.map(({ path, content }) => [path, content]))
  const changes = edits.map((edit) => {
    const counts = countsOf(before.get(edit.path) ?? '', edit.action === 'delete' ? '' : edit.content)
    return { ...edit, ...counts }
  })
  const [added, removed] = [sum(changes.map((each) => each.added)), sum(changes.map((each) => each.removed))]
  return [
    ...(summary.trim() === '' ? [] : summary.trim().split('\n')),
    ...warnings.map((warning) => [yellow('! '), warning]),
    ...changes.map((change) => [
      `  ${change.action.padEnd(6)}  `,
      bold(change.path),
      '  ',
      green(`+${change.added}`),
      ' ',
      red(`-${change.removed}`),
    ]),
    edits.length === 0
      ? 'No file is changed.'
      : [
          `${edits.length === 1 ? '1 file' : `${edits.length} files`}, `,
          green(`+${added}`),
          ' ',
          red(`-${removed}`),
        ],
    ...(kind === 'loop'
      ? [
          [
            verified ? green('verified') : yellow('not verified'),
            dim(reason === null ? '' : `  ${REASON_WORDS[reason] ?? reason}`),
          ],
        ]
      : []),
  ]
}

/** Undefined where nothing was charged that could be told. */
export function costOf({ result, balanceMinor }: Ended): string | undefined {
  const { costMinor, currency, id } = result
  if (costMinor === null || currency === null) return undefined
  if (balanceMinor === null) return `Cost ${formatMoney(costMinor, currency)} · result ${id}`
  return costLine({ costMinor, balanceMinor, currency, result: id })
}

/** For programs: all of it, but the texts that were sent. */
export function asValue({ result, balanceMinor }: Ended): Record<string, unknown> {
  const { sent, ...rest } = result
  return { ...rest, sent: sent.map(({ path }) => path), balanceMinor }
}

function countsOf(before: string, after: string): { added: number; removed: number } {
  if (before === '' || after === '' || before.length + after.length > COMPARED_CHARACTERS_MAX)
    return { added: linesIn(after), removed: linesIn(before) }
  const counts = { added: 0, removed: 0 }
  for (const part of diffLines(before, after)) {
    if (part.added) counts.added += part.count
    if (part.removed) counts.removed += part.count
  }
  return counts
}

const linesIn = (text: string): number => (text === '' ? 0 : text.replace(/\n$/, '').split('\n').length)
const sum = (numbers: readonly number[]): number => numbers.reduce((all, each) => all + each, 0)

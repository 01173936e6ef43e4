// cowrie admin reconcile: lists the reconciliations of payments, or runs a day again.
import type { Reconciliation } from '@cowrie/sdk'
import { collectPages, LIMIT_OPTION, limitOf } from '../../arguments/pages.ts'
import { asStaff, STAFF_OPTIONS } from '../../auth/staff-session.ts'
import { type Command, textOf } from '../../command.ts'
import { UsageError } from '../../errors.ts'
import { EXIT } from '../../exit-codes.ts'
import type { Line } from '../../terminal/line.ts'
import { table } from '../../terminal/table.ts'

export const reconcile: Command = {
  name: 'admin reconcile',
  usage: '[rail]',
  summary: 'List the reconciliations of payments, or run a day again. For staff.',
  args: { min: 0, max: 1 },
  isKeyless: true,
  options: {
    ...STAFF_OPTIONS,
    ...LIMIT_OPTION,
    account: {
      type: 'string',
      placeholder: '<country>',
      summary: 'The account of the provider, such as NG.',
    },
    day: {
      type: 'string',
      placeholder: '<date>',
      summary: 'Reconcile this UTC day again. Needs a rail and --account.',
    },
  },
  async run(context) {
    const { values, out, signal, endWith } = context
    const [rail] = context.args
    const account = textOf(values, 'account')
    const day = textOf(values, 'day')
    if (day !== undefined && (rail === undefined || account === undefined))
      throw new UsageError('--day needs a rail and --account.', 'admin reconcile')
    await asStaff(context, async (client) => {
      if (rail !== undefined && account !== undefined && day !== undefined) {
        const started = await client.admin.reconciliations.start({ rail, account, day }, { signal })
        return out.result(started, [`Reconciling ${day} of ${rail} ${account} as ${started.id}.`])
      }
      const { items, nextCursor } = await collectPages<Reconciliation>(limitOf(values), async (page) => {
        const reply = await client.admin.reconciliations.list({ rail, account, ...page }, { signal })
        return { items: reply.reconciliations, nextCursor: reply.nextCursor }
      })
      out.result({ reconciliations: items, nextCursor }, linesOf(items, out.width))
      if (nextCursor !== null) out.note(`Showing the newest ${items.length}. Use --limit for more.`)
    })
    endWith(EXIT.ok)
  },
}

const COLUMNS = [
  { title: 'day' },
  { title: 'account' },
  { title: 'source' },
  { title: 'state' },
  { title: 'listed', right: true },
  { title: 'matched', right: true },
  { title: 'explained', right: true },
  { title: 'differences', right: true },
]

function linesOf(runs: readonly Reconciliation[], width: number): Line[] {
  if (runs.length === 0) return ['There are no reconciliations.']
  const rows = runs.map((run) => [
    run.day,
    `${run.rail} ${run.account}`,
    run.source,
    run.state,
    ...[run.listed, run.matched, sumOf(run.explained), sumOf(run.differences)].map(String),
  ])
  const failures = runs.flatMap(({ rail, account, day, failure }) =>
    failure === null ? [] : [`${day} ${rail} ${account}: ${failure}`],
  )
  return [...table(COLUMNS, rows, width), ...failures]
}

const sumOf = (counts: Readonly<Record<string, number | undefined>>): number =>
  Object.values(counts).reduce<number>((sum, count) => sum + (count ?? 0), 0)

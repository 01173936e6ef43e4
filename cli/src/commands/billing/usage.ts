// cowrie usage: usage and cost of the user or the organisation.
import type { Client, MetricsUsageReply, MeUsageReply } from '@cowrie/sdk'
import { parseDate } from '../../arguments/dates.ts'
import { type Command, type Context, textOf } from '../../command.ts'
import { Failure, UsageError } from '../../errors.ts'
import { EXIT } from '../../exit-codes.ts'
import { formatMoney } from '../../spending/money.ts'
import { table } from '../../terminal/table.ts'

const GROUPINGS = ['day', 'lane', 'source', 'model', 'member'] as const
type Grouping = (typeof GROUPINGS)[number]
type Figure = { readonly costMinor: bigint; readonly tokens: number }
type Row = readonly [name: string, figure: Figure]
type Times = { from?: string; to?: string }

export const usage: Command = {
  name: 'usage',
  summary: 'Show usage and cost. Default: the last 30 days.',
  args: { min: 0, max: 0 },
  options: {
    since: { type: 'string', placeholder: '<time>', summary: 'Start: 2026-11-01, or 7d for an age.' },
    until: { type: 'string', placeholder: '<time>', summary: 'End, not included.' },
    by: {
      type: 'string',
      placeholder: '<what>',
      summary: `${GROUPINGS.join(', ')}. Default: day.`,
      complete: GROUPINGS,
    },
    all: { type: 'boolean', summary: 'For the whole organisation.' },
  },
  async run(context) {
    const { client, out, signal, values } = context
    const way = groupingOf(values.by)
    const isAll = values.all === true || way === 'member'
    const times = timesOf(context)
    const found = isAll
      ? await client.metrics.usage(times, { signal })
      : await client.me.usage(times, { signal })
    if (out.json) return out.result(found, [])
    const rows = 'rows' in found ? rowsOfAll(found, way) : rowsOfMine(found, way)
    await show(client, context, { found, rows, way })
  },
}

async function show(
  client: Client,
  { out, signal }: Context,
  { found, rows, way }: { found: MeUsageReply | MetricsUsageReply; rows: readonly Row[]; way: Grouping },
): Promise<void> {
  const { currency } = await client.me.get({ signal })
  const { totals, from, to } = found
  const money = (minor: bigint) => formatMoney(minor, currency)
  out.result(found, [
    `From ${from.slice(0, 10)} to ${to.slice(0, 10)}`,
    `${money(totals.costMinor)} for ${count(totals.tokens)} tokens`,
    ...table(
      [{ title: way }, { title: 'cost', right: true }, { title: 'tokens', right: true }],
      rows.map(([name, { costMinor, tokens }]) => [name, money(costMinor), count(tokens)]),
      out.width,
    ),
  ])
  if (way === 'model' && 'points' in found && sum(rows) !== totals.costMinor)
    out.warn('Only the newest 1000 turns are grouped by model. Use --since to shorten the period.')
}

function rowsOfMine({ points, totals }: MeUsageReply, way: Grouping): Row[] {
  switch (way) {
    case 'lane':
      return Object.entries(totals.byLane)
    case 'source':
      return Object.entries(totals.bySource)
    case 'model':
      return groupRows(points.map((point) => [point.model, point]))
    default:
      return totals.byDay.map((each) => [each.day, each])
  }
}

function rowsOfAll({ rows, totals, byMember }: MetricsUsageReply, way: Grouping): Row[] {
  switch (way) {
    case 'lane':
      return Object.entries(totals.byLane)
    case 'source':
      return Object.entries(totals.bySource)
    case 'model':
      if (totals.byModel === null)
        throw new UsageError('--by model for the whole organisation covers at most 31 days.')
      return totals.byModel.map((each) => [each.model, each])
    case 'member':
      if (byMember === null)
        throw new Failure(
          'members_not_shown',
          'Usage per member is visible only in the app, to owners and admins.',
          {
            exit: EXIT.notAllowed,
            next: 'Open it with "cowrie open team".',
          },
        )
      return byMember.map((each) => [each.email ?? 'unassigned', each])
    case 'day':
      return groupRows(rows.map((row) => [row.day, row]))
  }
}

/** Groups rows by name, in the order of first appearance. */
function groupRows(rows: readonly Row[]): Row[] {
  const sums = new Map<string, Figure>()
  for (const [name, { costMinor, tokens }] of rows) {
    const before = sums.get(name) ?? { costMinor: 0n, tokens: 0 }
    sums.set(name, { costMinor: before.costMinor + costMinor, tokens: before.tokens + tokens })
  }
  return [...sums]
}

const sum = (rows: readonly Row[]): bigint => rows.reduce((total, [, { costMinor }]) => total + costMinor, 0n)
const count = (tokens: number): string => String(tokens).replace(/\B(?=(\d{3})+$)/g, ',')

function groupingOf(given: Context['values'][string]): Grouping {
  if (given === undefined) return 'day'
  const way = GROUPINGS.find((each) => each === given)
  if (!way) throw new UsageError(`--by must be one of ${GROUPINGS.join(', ')}.`)
  return way
}

function timesOf({ values, machine }: Context): Times {
  const [since, until] = [textOf(values, 'since'), textOf(values, 'until')]
  return {
    ...(since !== undefined && { from: parseDate(since, machine.now(), '--since') }),
    ...(until !== undefined && { to: parseDate(until, machine.now(), '--until') }),
  }
}

// cowrie wallet ledger: all credits and debits, newest first.
import type { Client, LedgerEntry, WalletLedgerQuery } from '@cowrie/sdk'
import { parseDate } from '../../arguments/dates.ts'
import { collectPages, LIMIT_OPTION, limitOf } from '../../arguments/pages.ts'
import { type Command, type Context, textOf } from '../../command.ts'
import { UsageError } from '../../errors.ts'
import { formatMoney } from '../../spending/money.ts'
import { plainLines } from '../../terminal/line.ts'
import { table } from '../../terminal/table.ts'

const SOURCES = [
  'topup',
  'agent',
  'chat',
  'index',
  'research',
  'review',
  'gateway',
  'refund',
  'adjustment',
  'subscription',
  'trial',
] as const
const TYPES = ['credit', 'debit'] as const
/** The service returns ten thousand lines per call. */
const PIECES_MAX = 20

type Filter = Pick<WalletLedgerQuery, 'from' | 'to' | 'source' | 'type'>

export const ledger: Command = {
  name: 'wallet ledger',
  summary: 'List all credits and debits, newest first.',
  args: { min: 0, max: 0 },
  options: {
    ...LIMIT_OPTION,
    since: { type: 'string', placeholder: '<time>', summary: 'Start: 2026-11-01, or 7d for an age.' },
    until: { type: 'string', placeholder: '<time>', summary: 'End, not included.' },
    source: { type: 'string', placeholder: '<source>', summary: SOURCES.join(', '), complete: SOURCES },
    type: { type: 'string', placeholder: '<type>', summary: 'credit or debit', complete: TYPES },
    csv: { type: 'boolean', summary: 'Print everything as CSV, for a spreadsheet.' },
  },
  async run(context) {
    const { client, values, out, signal } = context
    const filter = filterOf(context)
    if (values.csv) {
      if (out.json || values.limit !== undefined)
        throw new UsageError('--csv cannot be combined with --json or --limit.')
      if (!(await printCsv(client, filter, context)))
        out.warn('There are more entries. Use --since and --until for a shorter period.')
      return
    }
    const { items, nextCursor } = await collectPages<LedgerEntry>(limitOf(values), async (page) => {
      const { entries, nextCursor } = await client.wallet.ledger({ ...filter, ...page }, { signal })
      return { items: entries, nextCursor }
    })
    if (out.json) return out.result({ entries: items, nextCursor }, [])
    const { currency } = await client.me.get({ signal })
    const rows = items.map(({ id, type, amountMinor, source, balanceAfterMinor, createdAt }) => [
      createdAt.slice(0, 16).replace('T', ' '),
      `${type === 'credit' ? '+' : '-'}${formatMoney(amountMinor, currency)}`,
      formatMoney(balanceAfterMinor, currency),
      source,
      id,
    ])
    out.result(items, rows.length > 0 ? table(COLUMNS, rows, out.width) : ['No entries.'])
    if (nextCursor !== null) out.note(`Showing the newest ${items.length}. Use --limit for more.`)
  },
}

const COLUMNS = [
  { title: 'time (UTC)' },
  { title: 'amount', right: true },
  { title: 'balance', right: true },
  { title: 'source' },
  { title: 'entry' },
]

function filterOf({ values, machine }: Context): Filter {
  const [since, until] = [textOf(values, 'since'), textOf(values, 'until')]
  const source = oneOf(textOf(values, 'source'), SOURCES, '--source')
  const type = oneOf(textOf(values, 'type'), TYPES, '--type')
  return {
    ...(since !== undefined && { from: parseDate(since, machine.now(), '--since') }),
    ...(until !== undefined && { to: parseDate(until, machine.now(), '--until') }),
    ...(source && { source }),
    ...(type && { type }),
  }
}

function oneOf<T extends string>(
  given: string | undefined,
  known: readonly T[],
  option: string,
): T | undefined {
  if (given === undefined) return undefined
  const found = known.find((each) => each === given)
  if (!found) throw new UsageError(`${option} must be one of ${known.join(', ')}.`)
  return found
}

/** The service's CSV, joined under one header. False when entries remain beyond our limit. */
async function printCsv(client: Client, filter: Filter, { out, machine, signal }: Context): Promise<boolean> {
  let cursor: string | null = null
  for (let piece = 0; piece < PIECES_MAX; piece++) {
    const answer = await client.request('GET', '/wallet/ledger', {
      query: { ...filter, cursor },
      headers: { accept: 'text/csv' },
      signal,
    })
    const text = machine.isStdoutTerminal ? plainLines(answer.text()) : answer.text()
    out.raw(piece === 0 ? text : text.slice(text.indexOf('\n') + 1))
    cursor = answer.headers.get('x-next-cursor')
    if (cursor === null) return true
  }
  return false
}

// cowrie wallet ledger: every credit and debit, newest first.
import type { Client, LedgerEntry, WalletLedgerQuery } from '@cowrie/sdk'
import { type Command, type Context, textOf } from '../command.ts'
import { formatMoney } from '../money.ts'
import { collect, LIMIT_OPTION, limitOf } from '../pages.ts'
import { passage } from '../terminal/passage.ts'
import { table } from '../terminal/table.ts'
import { parseWhen } from '../when.ts'
import { UsageError } from '../wrong.ts'

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
] as const
const TYPES = ['credit', 'debit'] as const
/** The service gives ten thousand lines at a time. */
const PIECES_MAX = 20

type Filter = Pick<WalletLedgerQuery, 'from' | 'to' | 'source' | 'type'>

export const ledger: Command = {
  name: 'wallet ledger',
  summary: 'List every credit and debit, newest first.',
  args: { min: 0, max: 0 },
  options: {
    ...LIMIT_OPTION,
    since: { type: 'string', placeholder: '<time>', summary: 'From then on: 2026-11-01, or 7d ago.' },
    until: { type: 'string', placeholder: '<time>', summary: 'Before then.' },
    source: { type: 'string', placeholder: '<source>', summary: SOURCES.join(', '), complete: SOURCES },
    type: { type: 'string', placeholder: '<type>', summary: 'credit or debit', complete: TYPES },
    csv: { type: 'boolean', summary: 'All of it as CSV, for a spreadsheet.' },
  },
  async run(context) {
    const { client, values, out, signal } = context
    const filter = filterOf(context)
    if (values.csv) {
      if (out.json || values.limit !== undefined)
        throw new UsageError('--csv goes with neither --json nor --limit.')
      if (!(await printCsv(client, filter, context)))
        out.warn('There is more than this; ask for less time at once with --since and --until.')
      return
    }
    const { items, nextCursor } = await collect<LedgerEntry>(limitOf(values), async (page) => {
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
    out.result(items, rows.length > 0 ? table(COLUMNS, rows, out.width) : ['Nothing has moved.'])
    if (nextCursor !== null) out.note(`These are the newest ${items.length}; --limit shows more.`)
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
    ...(since !== undefined && { from: parseWhen(since, machine.now(), '--since') }),
    ...(until !== undefined && { to: parseWhen(until, machine.now(), '--until') }),
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

/** As the service writes it, piece by piece under one head. False where there is more than the pieces we take. */
async function printCsv(client: Client, filter: Filter, { out, machine, signal }: Context): Promise<boolean> {
  let cursor: string | null = null
  for (let piece = 0; piece < PIECES_MAX; piece++) {
    const answer = await client.request('GET', '/wallet/ledger', {
      query: { ...filter, cursor },
      headers: { accept: 'text/csv' },
      signal,
    })
    const text = machine.isShown ? passage(answer.text()) : answer.text()
    out.raw(piece === 0 ? text : text.slice(text.indexOf('\n') + 1))
    cursor = answer.headers.get('x-next-cursor')
    if (cursor === null) return true
  }
  return false
}

// cowrie logs: every model call with its tokens, cost and duration.
import type { Currency, RequestRow, UsageRequestsQuery } from '@cowrie/sdk'
import { parseDate } from '../../arguments/dates.ts'
import { collectPages, LIMIT_OPTION, limitOf } from '../../arguments/pages.ts'
import { type Command, type Context, textOf } from '../../command.ts'
import { UsageError } from '../../errors.ts'
import { followRequests } from '../../logs/follow.ts'
import { formatMoney } from '../../spending/money.ts'
import { plainLines } from '../../terminal/line.ts'
import { table } from '../../terminal/table.ts'

/** The service returns ten thousand lines per call. */
const PIECES_MAX = 20

type Filter = Pick<UsageRequestsQuery, 'keyId' | 'model' | 'status' | 'from'>

export const logs: Command = {
  name: 'logs',
  summary: 'List your model calls, newest first: model, tokens, cost, time and status.',
  args: { min: 0, max: 0 },
  options: {
    ...LIMIT_OPTION,
    follow: { type: 'boolean', short: 'f', summary: 'Show new calls as they end. Ctrl-C stops.' },
    key: {
      type: 'string',
      placeholder: '<id>',
      summary: 'Only calls with this key; see "cowrie keys list".',
    },
    model: { type: 'string', placeholder: '<id>', summary: 'Only calls of this model.' },
    status: {
      type: 'string',
      placeholder: '<status>',
      summary: 'success, failed, or an HTTP status such as 402.',
      complete: ['success', 'failed'],
    },
    since: { type: 'string', placeholder: '<time>', summary: 'Start: 2026-11-01, or 24h for an age.' },
    csv: { type: 'boolean', summary: 'Print everything as CSV, for a spreadsheet.' },
  },
  async run(context) {
    const { client, values, out, signal } = context
    const filter = filterOf(context)
    if (values.csv) {
      if (out.json || values.follow || values.limit !== undefined)
        throw new UsageError('--csv cannot be combined with --json, --follow or --limit.')
      return printCsv(context, filter)
    }
    if (values.follow) return follow(context, filter)
    const { items, nextCursor } = await collectPages<RequestRow>(limitOf(values), async (page) => {
      const { requests, nextCursor } = await client.usage.requests({ ...filter, ...page }, { signal })
      return { items: requests, nextCursor }
    })
    if (out.json) return out.result({ requests: items, nextCursor }, [])
    const { currency } = await client.me.get({ signal })
    const rows = items.map((row) => cellsOf(row, currency))
    out.result(items, rows.length > 0 ? table(COLUMNS, rows, out.width) : ['No calls.'])
    if (nextCursor !== null) out.note(`Showing the newest ${items.length}. Use --limit for more.`)
  },
}

async function follow(context: Context, filter: Filter): Promise<void> {
  const { client, out, signal, values } = context
  const { currency } = await client.me.get({ signal })
  await followRequests(context, filter, values.limit === undefined ? 10 : limitOf(values), (row) =>
    out.frame(row, [lineOf(row, currency)]),
  )
}

const COLUMNS = [
  { title: 'time (UTC)' },
  { title: 'model' },
  { title: 'input', right: true },
  { title: 'cached', right: true },
  { title: 'output', right: true },
  { title: 'cost', right: true },
  { title: 'time', right: true },
  { title: 'status' },
  { title: 'key' },
]

function cellsOf(row: RequestRow, currency: Currency): string[] {
  const { at, model, tokens, costMinor, exactCost, durationMs, status, code, keyId } = row
  return [
    at.slice(0, 19).replace('T', ' '),
    model,
    String(tokens.input + tokens.cacheWrite),
    String(tokens.cachedInput),
    String(tokens.output),
    // Earlier calls may have paid for a call that costs less than the smallest amount.
    costMinor === 0n && exactCost !== null
      ? `<${formatMoney(1n, currency)}`
      : formatMoney(costMinor, currency),
    `${(durationMs / 1000).toFixed(1)} s`,
    code === null ? String(status) : `${status} ${code}`,
    keyId ?? 'app',
  ]
}

/** Columns cannot be aligned while calls arrive. */
function lineOf(row: RequestRow, currency: Currency): string {
  const [at, model, input, cached, output, cost, time, status, key] = cellsOf(row, currency)
  return `${at}  ${model}  ${input} + ${cached} cached in, ${output} out  ${cost}  ${time}  ${status}  ${key}`
}

function filterOf({ values, machine }: Context): Filter {
  const [keyId, model, status, since] = ['key', 'model', 'status', 'since'].map((name) =>
    textOf(values, name),
  )
  if (status !== undefined && !/^(success|failed|[1-5]\d\d)$/.test(status))
    throw new UsageError('--status must be success, failed or an HTTP status such as 402.')
  return {
    ...(keyId && { keyId }),
    ...(model && { model }),
    ...(status && { status }),
    ...(since !== undefined && { from: parseDate(since, machine.now(), '--since') }),
  }
}

/** The service's CSV, joined under one header. */
async function printCsv({ client, out, machine, signal }: Context, filter: Filter): Promise<void> {
  let cursor: string | null = null
  for (let piece = 0; piece < PIECES_MAX; piece++) {
    const answer = await client.request('GET', '/usage/requests', {
      query: { ...filter, cursor },
      headers: { accept: 'text/csv' },
      signal,
    })
    const text = machine.isStdoutTerminal ? plainLines(answer.text()) : answer.text()
    out.raw(piece === 0 ? text : text.slice(text.indexOf('\n') + 1))
    cursor = answer.headers.get('x-next-cursor')
    if (cursor === null) return
  }
  out.warn('There are more calls. Use --since for a shorter period.')
}

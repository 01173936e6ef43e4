// cowrie invoices: lists invoices, shows one, and saves its page.
import { writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { Currency, Invoice } from '@cowrie/sdk'
import { parseDate } from '../../arguments/dates.ts'
import { collectPages, LIMIT_OPTION, limitOf } from '../../arguments/pages.ts'
import { type Command, type Context, textOf } from '../../command.ts'
import { Failure } from '../../errors.ts'
import { formatMoney } from '../../spending/money.ts'
import { plainLines } from '../../terminal/line.ts'
import { table } from '../../terminal/table.ts'
import { columns } from '../../terminal/wrap.ts'

/** How many invoices are searched for open ones. */
const LOOKED_THROUGH_MAX = 2_000

const list: Command = {
  name: 'invoices',
  summary: 'List your invoices, newest first.',
  args: { min: 0, max: 0 },
  options: {
    ...LIMIT_OPTION,
    open: { type: 'boolean', summary: 'Only unpaid invoices.' },
    since: { type: 'string', placeholder: '<time>', summary: 'Start: 2026-11-01, or 7d for an age.' },
  },
  async run(context) {
    const { client, values, out, signal } = context
    const { invoices, nextCursor } = await find(context)
    if (out.json) return out.result({ invoices, nextCursor }, [])
    const { currency } = await client.me.get({ signal })
    const rows = invoices.map(({ number, status, totalMinor, issuedAt, id }) => [
      number,
      issuedAt.slice(0, 10),
      formatMoney(totalMinor, currency),
      status,
      id,
    ])
    const none = values.open ? 'No unpaid invoices.' : 'There are no invoices.'
    out.result(invoices, rows.length > 0 ? table(COLUMNS, rows, out.width) : [none])
    if (values.open && rows.length > 0) out.note(`Pay invoices at ${context.baseUrl}/app/invoices`)
    else if (nextCursor !== null) out.note(`Showing the newest ${rows.length}. Use --limit for more.`)
  },
}

const COLUMNS = [
  { title: 'number' },
  { title: 'issued' },
  { title: 'total', right: true },
  { title: 'status' },
  { title: 'id' },
]

async function find({ client, values, machine, signal }: Context) {
  const since = textOf(values, 'since')
  const from = since === undefined ? undefined : parseDate(since, machine.now(), '--since')
  const limit = limitOf(values)
  const { items, nextCursor } = await collectPages<Invoice>(
    values.open ? LOOKED_THROUGH_MAX : limit,
    async (page) => {
      const { invoices, nextCursor } = await client.invoices.list({ from, ...page }, { signal })
      return { items: invoices, nextCursor }
    },
  )
  const invoices = values.open ? items.filter(({ status }) => status === 'open').slice(0, limit) : items
  return { invoices, nextCursor }
}

const get: Command = {
  name: 'invoices get',
  usage: '<id>',
  summary: 'Show an invoice line by line, with its credit notes.',
  args: { min: 1, max: 1 },
  async run({ client, args: [id = ''], out, signal }) {
    const invoice = await client.invoices.get(id, { signal })
    if (out.json) return out.result(invoice, [])
    const { currency } = await client.me.get({ signal })
    out.result(invoice, linesOf(invoice, currency, out.width))
  },
}

function linesOf(invoice: Invoice, currency: Currency, width: number): string[] {
  const money = (minor: bigint) => formatMoney(minor, currency)
  const { number, status, lines, taxes, totalMinor, issuedAt, paidAt, reference, creditNotes, mode } = invoice
  const rows = [
    ...lines.map(({ description, quantity, amountMinor }) => [
      quantity === 1 ? description : `${quantity} × ${description}`,
      money(amountMinor),
    ]),
    ['Total', money(totalMinor)],
    ...taxes.map(({ name, rateBps, amountMinor }) => [
      `of which ${name} ${rateBps / 100} %`,
      money(amountMinor),
    ]),
    ...creditNotes.map((note) => [`Credit note ${note.number}: ${note.reason}`, money(-note.totalMinor)]),
  ]
  return [
    `${number}, ${status}${mode === 'mock' ? ', play money' : ''}`,
    ...table([{ title: 'for' }, { title: 'amount', right: true }], rows, width),
    ...columns(
      [
        ['issued', issuedAt],
        ['paid', paidAt ?? 'not yet'],
        ['payment', reference ?? 'none'],
      ],
      width,
    ),
  ]
}

const receipt: Command = {
  name: 'invoices receipt',
  usage: '<id>',
  summary: 'Print the page of an invoice, or save it to a file.',
  args: { min: 1, max: 1 },
  options: {
    output: {
      type: 'string',
      short: 'o',
      placeholder: '<file>',
      summary: 'Write to this file, which must not exist.',
      complete: 'files',
    },
  },
  async run({ client, args: [id = ''], values, out, paths, machine, signal }) {
    const page = await client.invoices.receipt(id, { download: true }, { signal })
    const output = textOf(values, 'output')
    if (output === undefined || output === '-') {
      if (out.json) out.result({ html: page }, [])
      else out.raw(`${machine.isStdoutTerminal ? plainLines(page) : page}${page.endsWith('\n') ? '' : '\n'}`)
      return
    }
    const path = resolve(paths.cwd, output)
    await writeNew(path, page)
    out.result({ path }, [path])
  },
}

async function writeNew(path: string, text: string): Promise<void> {
  try {
    await writeFile(path, text, { flag: 'wx' })
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EEXIST')
      throw new Failure('file_exists', `${path} already exists and was not changed.`, {
        next: 'Choose another file with --output.',
      })
    throw new Failure('file_unwritable', `${path} cannot be written (${code}).`)
  }
}

export const invoices: readonly Command[] = [list, get, receipt]

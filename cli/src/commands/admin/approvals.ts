// cowrie admin approvals: lists money actions that wait for a second member of staff, and decides one.
import type { Approval, Client } from '@cowrie/sdk'
import { collectPages, LIMIT_OPTION, limitOf } from '../../arguments/pages.ts'
import { asStaff, STAFF_OPTIONS } from '../../auth/staff-session.ts'
import { type Command, type Context, textOf } from '../../command.ts'
import { UsageError } from '../../errors.ts'
import { EXIT } from '../../exit-codes.ts'
import type { Line } from '../../terminal/line.ts'
import { table } from '../../terminal/table.ts'

export const approvals: Command = {
  name: 'admin approvals',
  usage: '[<id> approve|reject]',
  summary: 'List money actions that wait for a second member of staff, or decide one. For billing staff.',
  args: { min: 0, max: 2 },
  isKeyless: true,
  options: {
    ...STAFF_OPTIONS,
    ...LIMIT_OPTION,
    note: { type: 'string', placeholder: '<text>', summary: 'Stored in the audit log.' },
  },
  async run(context) {
    const { args, endWith } = context
    const [id, decision] = args
    if (id !== undefined && decision !== 'approve' && decision !== 'reject')
      throw new UsageError('Name the decision: approve or reject.', 'admin approvals')
    const isDone = await asStaff(context, (client) =>
      id === undefined ? list(context, client) : decide(context, client, id, decision as Decision),
    )
    endWith(isDone ? EXIT.ok : EXIT.cancelled)
  },
}

type Decision = 'approve' | 'reject'

async function list({ values, out, signal }: Context, client: Client): Promise<boolean> {
  const { items, nextCursor } = await collectPages<Approval>(limitOf(values), async (page) => {
    const reply = await client.admin.approvals.list(page, { signal })
    return { items: reply.approvals, nextCursor: reply.nextCursor }
  })
  out.result({ approvals: items, nextCursor }, linesOf(items, out.width))
  if (nextCursor !== null) out.note(`Showing the newest ${items.length}. Use --limit for more.`)
  return true
}

async function decide(
  { values, ask, out, signal }: Context,
  client: Client,
  id: string,
  decision: Decision,
): Promise<boolean> {
  const note = textOf(values, 'note')?.trim()
  if (!(await ask.yes(`${decision === 'approve' ? 'Approve' : 'Reject'} ${id}?`))) return false
  const decided = await client.admin.approvals.decide(id, { decision, ...(note && { note }) }, { signal })
  out.result(decided, [`${id} is ${decided.state}.`])
  return true
}

const COLUMNS = [
  { title: 'id' },
  { title: 'operation' },
  { title: 'amount', right: true },
  { title: 'organisation' },
  { title: 'requested by' },
  { title: 'expires' },
]

function linesOf(rows: readonly Approval[], width: number): Line[] {
  if (rows.length === 0) return ['No request waits for an approval.']
  return table(
    COLUMNS,
    rows.map(({ id, kind, amountMinor, currency, orgName, requestedBy, expiresAt }) => [
      ...[id, kind, `${amountMinor} ${currency}`, orgName, requestedBy, expiresAt],
    ]),
    width,
  )
}

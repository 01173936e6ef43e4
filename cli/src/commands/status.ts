// cowrie auth status: who am I, and what can I spend?
import type { Me } from '@cowrie/sdk'
import type { Command } from '../command.ts'
import { formatMoney } from '../money.ts'
import { columns } from '../terminal/output.ts'

export const status: Command = {
  name: 'auth status',
  summary: 'Show who you are, in which organisation, and your balance.',
  args: { min: 0, max: 0 },
  async run({ client, out, signal }) {
    const found = await client.me.get({ signal })
    out.result(found, [found.email, ...columns(rowsOf(found))])
  },
}

function rowsOf(me: Me): [string, string][] {
  const money = (minor: bigint) => formatMoney(minor, me.currency)
  return [
    ['user', me.userId],
    ['organisation', `${me.orgName} (${me.orgId})${me.orgSuspended ? ', suspended' : ''}`],
    ['role', me.staffRole ? `${me.role}, staff: ${me.staffRole}` : me.role],
    ['scopes', me.scopes.join(' ') || 'none'],
    ['balance', `${money(me.balanceMinor)}, of which ${money(me.heldMinor)} held for work in progress`],
    ['included', `${money(me.includedRemainingMinor)} left`],
    ['plan', me.plan ? `${me.plan}${me.subscriptionStatus ? `, ${me.subscriptionStatus}` : ''}` : 'none'],
  ]
}

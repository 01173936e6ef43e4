// cowrie team: members, their caps and their spending this month.
import { type Client, CowrieError, type Me, type Member, type TeamsUsageReply } from '@cowrie/sdk'
import { collectPages } from '../../arguments/pages.ts'
import type { Command, Context } from '../../command.ts'
import { Failure } from '../../errors.ts'
import { EXIT } from '../../exit-codes.ts'
import { formatMoney } from '../../spending/money.ts'
import { table } from '../../terminal/table.ts'

const MEMBERS_MAX = 1_000

const members: Command = {
  name: 'team',
  summary: 'List the members of your organisation with their roles and caps.',
  args: { min: 0, max: 0 },
  async run(context) {
    const { client, out, signal } = context
    const me = await client.me.get({ signal })
    const { items, nextCursor } = await allowed(context, () => membersOf(client, me, signal))
    if (out.json) return out.result({ members: items, nextCursor }, [])
    const spent = await spentBy(client, me, signal)
    const money = (minor: bigint) => formatMoney(minor, me.currency)
    const rows = items.map(({ userId, email, role, seatCapMinor, pending }) => {
      const monthMinor = spent?.get(userId)
      return [
        email,
        pending ? `${role}, invited` : role,
        seatCapMinor === null ? 'no cap' : money(seatCapMinor),
        monthMinor === undefined ? '' : money(monthMinor),
      ]
    })
    out.result(items, [me.orgName, ...table(MEMBER_COLUMNS, rows, out.width)])
  },
}

const MEMBER_COLUMNS = [
  { title: 'member' },
  { title: 'role' },
  { title: 'cap a month', right: true },
  { title: 'this month', right: true },
]

const usage: Command = {
  name: 'team usage',
  summary: 'Show the spending of each member this month, and what is left of their caps.',
  args: { min: 0, max: 0 },
  async run(context) {
    const { client, out, signal } = context
    const me = await client.me.get({ signal })
    const found = await allowed(context, () => usageOf(client, me, signal))
    const money = (minor: bigint) => formatMoney(minor, me.currency)
    const rows = found.members.map(({ email, monthMinor, seatCapMinor, remainingMinor }) => [
      email,
      money(monthMinor),
      seatCapMinor === null ? 'no cap' : money(seatCapMinor),
      remainingMinor === null ? '' : money(remainingMinor),
    ])
    out.result(found, [
      `${money(found.totalMinor)} since ${found.monthStart.slice(0, 10)}`,
      ...table(USAGE_COLUMNS, rows, out.width),
    ])
  },
}

const USAGE_COLUMNS = [
  { title: 'member' },
  { title: 'this month', right: true },
  { title: 'cap', right: true },
  { title: 'left', right: true },
]

export const team: readonly Command[] = [members, usage]

const membersOf = (client: Client, { orgId }: Me, signal: AbortSignal | undefined) =>
  collectPages<Member>(MEMBERS_MAX, async (page) => {
    const { members, nextCursor } = await client.teams.members.list(orgId, page, { signal })
    return { items: members, nextCursor }
  })

async function usageOf(
  client: Client,
  { orgId }: Me,
  signal: AbortSignal | undefined,
): Promise<TeamsUsageReply> {
  let first: TeamsUsageReply | undefined
  const { items, nextCursor } = await collectPages(MEMBERS_MAX, async (page) => {
    const found = await client.teams.usage(orgId, page, { signal })
    first ??= found
    return { items: found.members, nextCursor: found.nextCursor }
  })
  return {
    totalMinor: first?.totalMinor ?? 0n,
    monthStart: first?.monthStart ?? '',
    members: items,
    nextCursor,
  }
}

/** Spending is visible to owners and admins only. Others see the members without it. */
async function spentBy(
  client: Client,
  me: Me,
  signal: AbortSignal | undefined,
): Promise<Map<string, bigint> | null> {
  try {
    const { members } = await usageOf(client, me, signal)
    return new Map(members.map(({ userId, monthMinor }) => [userId, monthMinor]))
  } catch (error) {
    if (error instanceof CowrieError && error.status === 403) return null
    throw error
  }
}

/** API keys cannot read the team. On a refusal, point to the app. */
async function allowed<T>({ baseUrl }: Context, ask: () => Promise<T>): Promise<T> {
  try {
    return await ask()
  } catch (error) {
    if (!(error instanceof CowrieError) || error.status !== 403) throw error
    throw new Failure(error.code, error.message, {
      exit: EXIT.notAllowed,
      next: `See your team at ${baseUrl}/app/team`,
    })
  }
}

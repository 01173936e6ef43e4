// The order of provider accounts as staff see and set it.
import { record } from '../../audit/audit.ts'
import { invalidFields } from '../../kernel/errors.ts'
import type { Currency } from '../../kernel/money.ts'
import type { App } from '../../platform/app.ts'
import type { Actor } from '../../platform/http/actor.ts'
import { type ChannelName, channels } from '../channels.ts'
import { servingAccounts } from '../rails/accounts.ts'
import { replaceRoutes } from '../routing/ranking-sql.ts'
import { rank, UNRANKED } from '../routing/route.ts'

export const ROUTES_MAX = 20

/** The channels and currencies that a live account serves. */
export async function listRoutes(app: App) {
  const served = channels.flatMap(({ name: channel, ranges }) =>
    (Object.keys(ranges) as Currency[])
      .map((currency) => ({ channel, currency }))
      .filter((each) => servingAccounts(app, each).some(({ mode }) => mode === 'live')),
  )
  const routes = []
  for (const needs of served) {
    const accounts = (await rank(app, needs, servingAccounts(app, needs))).map(
      ({ rail, priority, isDown, settled, decided, feeBasisPoints }) => ({
        ...{ rail: rail.name, account: rail.account, keys: rail.keys },
        priority: priority === UNRANKED ? null : priority,
        ...{ isDown, settled, decided, feeBasisPoints },
      }),
    )
    routes.push({ ...needs, accounts })
  }
  return routes
}

type Change = {
  channel: ChannelName
  currency: Currency
  accounts: readonly { rail: string; account: string; priority: number }[]
}

export function changeRoute(app: App, actor: Actor, { channel, currency, accounts }: Change, ip: string) {
  const serving = servingAccounts(app, { channel, currency })
  const chosen = accounts.map(({ rail, account, priority }, index) => {
    const found = serving.find((each) => each.rail.name === rail && each.rail.account === account)
    const isRepeated = accounts.findIndex((each) => each.rail === rail && each.account === account) < index
    if (found?.mode === 'live' && !isRepeated) return { rail: found.rail.name, account, priority }
    throw invalidFields({
      path: `accounts.${index}`,
      message: isRepeated
        ? 'must not repeat an account'
        : `must be an account that serves ${channel} in ${currency}; GET /admin/rails/routes lists them`,
    })
  })
  return app.db.tx('platform', async (tx) => {
    await replaceRoutes(tx, channel, currency, chosen)
    await record(tx, {
      ...{ orgId: null, actor, as: 'operator', ip },
      ...{ action: 'admin.railRoutes.set', target: `${channel} ${currency}`, metadata: { accounts: chosen } },
    })
    return { ok: true as const }
  })
}

// Staff route of payment rails: accounts, health and webhook URLs.
import { z } from 'zod'
import type { App } from '../../platform/app.ts'
import type { Actor } from '../../platform/http/actor.ts'
import { route } from '../../platform/http/route.ts'
import { timestamp } from '../../platform/http/shapes.ts'
import { channels } from '../channels.ts'
import { type Account, accountsOf, providers } from '../rails/accounts.ts'
import { webhookUrl } from '../settle/webhooks/webhook-url.ts'
import { listHealth, type RailHealth } from '../sql/rail-health.ts'

const RailAccount = z.object({
  account: z.string().meta({ description: 'The country; `all` where one account serves every country.' }),
  currencies: z.array(z.string()).meta({ description: 'The currencies that it can collect.' }),
  keys: z.enum(['live', 'test']),
  circuit: z.enum(['closed', 'open']).meta({
    description: '`open` while a replica has paused calls to the provider because it does not answer.',
  }),
  lastSuccessAt: timestamp.nullable().meta({ description: 'The last answer that any replica recorded.' }),
  lastFailureAt: timestamp.nullable(),
  lastFailureReason: z.string().nullable(),
})

const Rails = z.object({
  rails: z.array(
    z.object({
      rail: z.string(),
      channels: z.array(z.string()),
      keys: z
        .enum(['live', 'test', 'none'])
        .meta({ description: 'The keys of the default account. With `none` the mock serves its channels.' }),
      needs: z.array(z.string()).meta({ description: 'The environment variables that configure it.' }),
      accounts: z.array(RailAccount).meta({ description: 'The default account first.' }),
      notifyUrl: z.string().nullable().meta({
        description:
          'The webhook URL for the provider. Its last part is a secret: null for roles that do not configure rails.',
      }),
    }),
  ),
})

export const railRoutes = [
  route('admin.rails', 'GET /admin/rails', {
    summary: 'List payment rails with their accounts, health and webhook URLs.',
    access: { staff: 'any' },
    rate: 'global',
    carriesSecret: true,
    reply: { 200: Rails },
    handle: async ({ app, actor }) => ({ rails: await listRails(app, actor) }),
  }),
]

const ROLES_WITH_URLS: ReadonlySet<string | null> = new Set(['operator', 'super_admin'])

async function listRails(app: App, { staffRole }: Actor) {
  const health = await app.db.tx('platform', (tx) => listHealth(tx))
  return providers.map(({ name, needs, newerNeeds }) => {
    const accounts = accountsOf(app, name)
    return {
      rail: name,
      channels: channels
        .filter(({ rail, alternatives }) => rail === name || name in alternatives)
        .map((channel) => channel.name),
      keys: accounts[0]?.keys ?? ('none' as const),
      needs: [...((accounts[0]?.api && newerNeeds) ?? needs)],
      accounts: accounts.map((account) => describeAccount(app, account, health)),
      notifyUrl: ROLES_WITH_URLS.has(staffRole) ? webhookUrl(app, name) : null,
    }
  })
}

function describeAccount(app: App, { name, account, currencies, keys }: Account, all: readonly RailHealth[]) {
  const health = all.find((each) => each.rail === name && each.account === account)
  const isOpen = (health?.pausedUntil?.getTime() ?? 0) > app.clock.now().getTime()
  return {
    account,
    currencies: [...currencies],
    keys,
    circuit: isOpen ? ('open' as const) : ('closed' as const),
    lastSuccessAt: health?.lastSuccessAt ?? null,
    lastFailureAt: health?.lastFailureAt ?? null,
    lastFailureReason: health?.lastFailureReason ?? null,
  }
}

// cowrie auth status: the current user, organisation, key and balance.
import { type ApiKey, type Client, CowrieError, type Me } from '@cowrie/sdk'
import { keyFor, serviceName } from '../../auth/credentials.ts'
import type { Command, Context } from '../../command.ts'
import { formatMoney } from '../../spending/money.ts'
import { columns } from '../../terminal/wrap.ts'

const DAY_MS = 86_400_000

export const status: Command = {
  name: 'auth status',
  summary: 'Show your user, organisation, key and balance.',
  args: { min: 0, max: 0 },
  async run(context) {
    const { client, out, signal, baseUrl } = context
    const [me, key] = await Promise.all([client.me.get({ signal }), ownKey(context)])
    const source = context.keyFromEnvironment ? 'COWRIE_API_KEY' : (context.credentials?.path ?? '')
    out.result({ ...me, baseUrl, key, keyFrom: source }, [
      me.email,
      ...columns([...rowsOf(me), ['key', wordsOf(key, source, context.machine.now())], ['service', baseUrl]]),
    ])
  },
}

/** Details of the key in use; null when the service does not return them. */
async function ownKey({
  client,
  credentials,
  baseUrl,
  org,
  signal,
  keyFromEnvironment,
}: Context): Promise<ApiKey | null> {
  if (keyFromEnvironment) return null
  const kept = keyFor((await credentials?.read())?.services.get(serviceName(baseUrl)), org)
  return kept?.id ? findKey(client, kept.id, signal) : null
}

async function findKey(client: Client, id: string, signal: AbortSignal | undefined): Promise<ApiKey | null> {
  try {
    const { keys } = await client.keys.list({ limit: 200 }, { signal })
    return keys.find((key) => key.id === id) ?? null
  } catch (error) {
    // The key's age is optional: a failure must not hide the rest.
    if (error instanceof CowrieError) return null
    throw error
  }
}

function wordsOf(key: ApiKey | null, source: string, now: Date): string {
  if (!key) return `from ${source}`
  const days = Math.max(0, Math.floor((now.getTime() - Date.parse(key.createdAt)) / DAY_MS))
  const age = days === 0 ? 'created today' : days === 1 ? '1 day old' : `${days} days old`
  const end = key.expiresAt ? `, expires ${key.expiresAt.slice(0, 10)}` : ''
  return `${key.name}, ${age}${end} (${key.id}), from ${source}`
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

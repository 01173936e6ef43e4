// cowrie keys: the organisation's API keys.
import type { ApiKey, Currency, KeysCreateBody } from '@cowrie/sdk'
import { parseDate } from '../../arguments/dates.ts'
import { LIMIT_OPTIONS, limitChangesFrom, limitsFrom, limitTexts } from '../../auth/key-limits.ts'
import { SCOPES, type Scope, scopesIn } from '../../auth/keys.ts'
import { type Command, textOf } from '../../command.ts'
import { UsageError } from '../../errors.ts'
import { columns } from '../../terminal/wrap.ts'

const PAGES_MAX = 50

const list: Command = {
  name: 'keys list',
  summary: 'List the API keys you can see with their limits and spending, newest first.',
  args: { min: 0, max: 0 },
  async run({ client, out, signal }) {
    const keys: ApiKey[] = []
    let cursor: string | null | undefined
    for (let page = 0; page < PAGES_MAX && cursor !== null; page++) {
      const found = await client.keys.list({ limit: 200, cursor }, { signal })
      keys.push(...found.keys)
      cursor = found.nextCursor
    }
    if (cursor) out.warn(`Showing only the newest ${keys.length} keys.`)
    if (out.json) return out.result({ keys }, [])
    if (keys.length === 0) return out.result(keys, ['There are no keys.'])
    const { currency } = await client.me.get({ signal })
    out.result(
      keys,
      columns(
        keys.map((key) => rowOf(key, currency)),
        out.width,
      ),
    )
  },
}

const create: Command = {
  name: 'keys create',
  usage: '<name>',
  summary: 'Create an API key. It is shown only once.',
  args: { min: 1, max: 1 },
  options: {
    scopes: {
      type: 'string',
      multiple: true,
      placeholder: '<scope,…>',
      summary: 'The scopes of the key. Default: none.',
      complete: SCOPES,
    },
    expires: {
      type: 'string',
      placeholder: '<days|date>',
      summary: 'Expiry: a number of days such as 90, or a date such as 2027-01-01. Default: never.',
    },
    ...LIMIT_OPTIONS,
  },
  async run(context) {
    const {
      client,
      args: [name = ''],
      values,
      out,
      signal,
      machine,
    } = context
    const scopes = scopesIn<Scope>(values)
    const end = endOf(textOf(values, 'expires'), machine.now())
    const made = await client.keys.create(
      { name, scopes, ...end, ...(await limitsFrom(context)) },
      { signal },
    )
    out.result(made, [made.key])
    const expiry = made.expiresAt ? ` It expires on ${made.expiresAt.slice(0, 10)}.` : ''
    out.note(`Copy ${made.id} now: it is not shown again.${expiry}`)
  },
}

const edit: Command = {
  name: 'keys edit',
  usage: '<id>',
  summary: 'Change the name or the limits of an API key. The value "none" removes a limit.',
  args: { min: 1, max: 1 },
  options: { name: { type: 'string', placeholder: '<name>', summary: 'The new name.' }, ...LIMIT_OPTIONS },
  async run(context) {
    const {
      client,
      args: [id = ''],
      values,
      out,
      signal,
    } = context
    const name = textOf(values, 'name')
    const changes = { ...(name !== undefined && { name }), ...(await limitChangesFrom(context)) }
    if (Object.keys(changes).length === 0) throw new UsageError('Name a change, such as --budget 5000.')
    const changed = await client.keys.change(id, changes, { signal })
    if (out.json) return out.result(changed, [])
    const { currency } = await client.me.get({ signal })
    out.result(changed, columns([rowOf(changed, currency)], out.width))
  },
}

const revoke: Command = {
  name: 'keys revoke',
  usage: '<id>',
  summary: 'Revoke an API key immediately.',
  args: { min: 1, max: 1 },
  async run({ client, args: [id = ''], out, signal }) {
    await client.keys.revoke(id, { signal })
    out.result({ ok: true, id }, [`Revoked ${id}.`])
  },
}

export const keys: readonly Command[] = [list, create, edit, revoke]

function endOf(expires: string | undefined, now: Date): Pick<KeysCreateBody, 'expiresAt' | 'expiresInDays'> {
  if (expires === undefined) return {}
  const [, days] = /^(\d{1,4})d?$/.exec(expires) ?? []
  if (days !== undefined) return { expiresInDays: Number(days) }
  return { expiresAt: parseDate(expires, now, '--expires') }
}

function rowOf(key: ApiKey, currency: Currency): [string, string] {
  const { id, name, scopes, prefix, createdAt, lastUsedAt, expiresAt, createdBy } = key
  const facts = [
    scopes.join(' ') || 'no scopes',
    [
      createdBy.email,
      createdAt.slice(0, 10),
      lastUsedAt ? `last used ${lastUsedAt.slice(0, 10)}` : 'never used',
      ...(expiresAt ? [`expires ${expiresAt.slice(0, 10)}`] : []),
    ].join(', '),
    ...limitTexts(key, currency),
  ]
  return [id, `${prefix}…  ${name}  (${facts.join('; ')})`]
}

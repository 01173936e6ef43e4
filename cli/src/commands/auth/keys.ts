// cowrie keys: the organisation's API keys.
import type { ApiKey, KeysCreateBody } from '@cowrie/sdk'
import { parseDate } from '../../arguments/dates.ts'
import { SCOPES, type Scope, scopesIn } from '../../auth/keys.ts'
import { type Command, textOf } from '../../command.ts'
import { columns } from '../../terminal/wrap.ts'

const PAGES_MAX = 50

const list: Command = {
  name: 'keys list',
  summary: 'List the API keys you can see, newest first.',
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
    out.result({ keys }, keys.length > 0 ? columns(keys.map(rowOf), out.width) : ['There are no keys.'])
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
  },
  async run({ client, args: [name = ''], values, out, signal, machine }) {
    const made = await client.keys.create(
      { name, scopes: scopesIn<Scope>(values), ...endOf(textOf(values, 'expires'), machine.now()) },
      { signal },
    )
    out.result(made, [made.key])
    const end = made.expiresAt ? ` It expires on ${made.expiresAt.slice(0, 10)}.` : ''
    out.note(`Copy ${made.id} now: it is not shown again.${end}`)
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

export const keys: readonly Command[] = [list, create, revoke]

function endOf(expires: string | undefined, now: Date): Pick<KeysCreateBody, 'expiresAt' | 'expiresInDays'> {
  if (expires === undefined) return {}
  const [, days] = /^(\d{1,4})d?$/.exec(expires) ?? []
  if (days !== undefined) return { expiresInDays: Number(days) }
  return { expiresAt: parseDate(expires, now, '--expires') }
}

function rowOf({
  id,
  name,
  scopes,
  prefix,
  createdAt,
  lastUsedAt,
  expiresAt,
  createdBy,
}: ApiKey): [string, string] {
  const end = expiresAt ? `, expires ${expiresAt.slice(0, 10)}` : ''
  const used = lastUsedAt ? `last used ${lastUsedAt.slice(0, 10)}` : 'never used'
  return [
    id,
    `${prefix}…  ${name}  (${scopes.join(' ') || 'no scopes'}; ${createdBy.email}, ${createdAt.slice(0, 10)}, ${used}${end})`,
  ]
}

// cowrie sso scim: the SCIM tokens by which a directory service provisions the members of an organisation.
import type { Client, ScimToken } from '@cowrie/sdk'
import { asPerson, PERSON_OPTIONS } from '../../auth/staff-session.ts'
import type { Command, Context } from '../../command.ts'
import { columns } from '../../terminal/wrap.ts'

/** The organisation is that of --org, else the one that the sign-in opens. */
const byOwner = (work: (client: Client, orgId: string, context: Context) => Promise<void>) => ({
  isKeyless: true,
  options: PERSON_OPTIONS,
  run: (context: Context): Promise<void> =>
    asPerson(context, async (client) => {
      const { org, signal } = context
      await work(client, org ?? (await client.me.get({ signal })).orgId, context)
    }),
})

const list: Command = {
  name: 'sso scim',
  summary: 'Show the base URL for a directory service, the verified domains and the SCIM tokens. For owners.',
  args: { min: 0, max: 0 },
  ...byOwner(async (client, orgId, { out, signal }) => {
    const found = await client.orgs.sso.scim.get(orgId, { signal })
    const domains = found.domains.length > 0 ? found.domains.join(', ') : 'none; staff verify them'
    out.result(found, [
      `base URL  ${found.baseUrl}`,
      `domains   ${domains}`,
      ...columns(found.tokens.map(rowOf), out.width),
    ])
  }),
}

const create: Command = {
  name: 'sso scim create',
  usage: '<name>',
  summary: 'Create a SCIM token for the directory service of that name. It is shown only once. For owners.',
  args: { min: 1, max: 1 },
  ...byOwner(async (client, orgId, { args: [name = ''], out, signal }) => {
    const made = await client.orgs.sso.scim.addToken(orgId, { name }, { signal })
    out.result(made, [made.token])
    out.note(`Copy ${made.id} now: it is not shown again.`)
  }),
}

const revoke: Command = {
  name: 'sso scim revoke',
  usage: '<id>',
  summary: 'Revoke a SCIM token immediately. Members stay members. For owners.',
  args: { min: 1, max: 1 },
  ...byOwner(async (client, orgId, { args: [id = ''], out, signal }) => {
    await client.orgs.sso.scim.revokeToken(orgId, id, { signal })
    out.result({ ok: true, id }, [`Revoked ${id}.`])
  }),
}

export const ssoScim: readonly Command[] = [list, create, revoke]

function rowOf({ id, name, prefix, createdAt, lastUsedAt }: ScimToken): [string, string] {
  const used = lastUsedAt ? `last used ${lastUsedAt.slice(0, 10)}` : 'never used'
  return [id, `${prefix}…  ${name}  (${createdAt.slice(0, 10)}, ${used})`]
}

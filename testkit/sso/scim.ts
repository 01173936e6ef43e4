// A directory service with a SCIM token of one organisation.
import type { Reply, TestServer } from '../harness/harness.ts'
import { openSsoOrg, type SsoOrg, type SsoOrgOptions } from './sso.ts'

export type ScimReply = Reply<ScimBody>
export type ScimBody = Record<string, unknown> & { id: string; Resources: ScimBody[] }

export type Directory = SsoOrg & {
  domain: string
  token: { id: string; token: string }
  send(method: string, path: string, body?: object, headers?: Record<string, string>): Promise<ScimReply>
  /** The body of a new user in the verified domain. */
  userBody(name: string, more?: object): object
  add(name: string, more?: object): Promise<ScimBody>
}

const CONNECTION = { type: 'oidc', issuer: 'https://idp.example.com', clientId: 'cowrie', clientSecret: 's' }
export const CORE_USER = 'urn:ietf:params:scim:schemas:core:2.0:User'
export const CORE_GROUP = 'urn:ietf:params:scim:schemas:core:2.0:Group'
export const PATCH_OP = 'urn:ietf:params:scim:api:messages:2.0:PatchOp'
export const patch = (...Operations: object[]) => ({ schemas: [PATCH_OP], Operations })

export async function openDirectory(
  server: TestServer,
  domain: string,
  options: Partial<SsoOrgOptions> = {},
): Promise<Directory> {
  const org = await openSsoOrg(server, { connection: CONNECTION, domains: [domain], ...options })
  const path = `/orgs/${org.orgId}/sso/scim/tokens`
  const made = await server.call<{ id: string; token: string }>('POST', path, {
    as: org.owner,
    body: { name: 'Okta' },
  })
  if (made.status !== 201) throw new Error(`no token: ${made.text}`)
  const token = made.body
  const send: Directory['send'] = (method, address, body, headers = {}) =>
    server.call<ScimBody>(method, `/scim/v2${address}`, {
      as: { bearer: token.token },
      headers: { ...(body && { 'content-type': 'application/scim+json' }), ...headers },
      ...(body && { raw: JSON.stringify(body) }),
    })
  const userBody = (name: string, more = {}) => ({
    schemas: [CORE_USER],
    userName: `${name}@${domain}`,
    name: { givenName: name, familyName: 'Test' },
    emails: [{ primary: true, value: `${name}@${domain}`, type: 'work' }],
    active: true,
    ...more,
  })
  return {
    ...org,
    domain,
    token,
    send,
    userBody,
    async add(name, more) {
      const reply = await send('POST', '/Users', userBody(name, more))
      if (reply.status !== 201) throw new Error(`no user: ${reply.text}`)
      return reply.body
    },
  }
}

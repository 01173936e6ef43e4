// Two replicas, a SAML provider, and an organisation that uses it.

import type { OrgId } from '@cowrie/server/src/kernel/ids.ts'
import { expect } from 'vitest'
import {
  makeKeys,
  type SamlForm,
  type SamlKeys,
  type SamlProvider,
  type SamlResponseOptions,
  startSamlProvider,
} from '../fakes/sso/saml-provider.ts'
import {
  type Reply,
  startTestServer,
  type TestRequest,
  type TestServer,
  type Visitor,
} from '../harness/harness.ts'
import { VICTIM } from './saml-forgeries.ts'
import { MachineClock, openSsoOrg } from './sso.ts'

export type SamlWorld = {
  server: TestServer
  replica: TestServer
  provider: SamlProvider
  org: OrgId
  /** A second key pair that the connection trusts. */
  otherKeys: SamlKeys
  /** Starts a sign-in and returns the provider's form. */
  begin(
    responseOptions?: SamlResponseOptions,
    from?: { orgId?: OrgId; next?: string },
  ): Promise<{ visitor: Visitor; form: SamlForm }>
  /** Opens another organisation, with this or another provider. */
  team(domain: string, idp?: SamlProvider, groupRoleMap?: Record<string, string>): Promise<OrgId>
  close(): Promise<void>
}

export async function openSamlWorld(): Promise<SamlWorld> {
  // The provider uses the system clock, so the server must too.
  const clock = new MachineClock()
  const server = await startTestServer({ clock })
  const replica = await startTestServer({ clock, url: server.url })
  const provider = await startSamlProvider()
  const otherKeys = makeKeys()

  const team: SamlWorld['team'] = async (domain, idp = provider, groupRoleMap) => {
    const certificate = otherKeys.certificate + idp.keys.certificate
    const connection = { type: 'saml', entityId: idp.entityId, ssoUrl: idp.ssoUrl, certificate }
    const options = { connection, domains: [domain], ...(groupRoleMap && { groupRoleMap }) }
    return (await openSsoOrg(server, options)).orgId
  }
  const org = await team('example.com')

  return {
    server,
    replica,
    provider,
    org,
    otherKeys,
    team,
    async begin(responseOptions = {}, { orgId = org, next = '' } = {}) {
      const visitor = server.visitor()
      const query = { orgId, ...(next && { next }) }
      const sent = await visitor.call('GET', '/auth/sso/initiate', {
        query,
        headers: { accept: 'text/html' },
      })
      expect(sent.status).toBe(302)
      provider.responseOptions = { nameId: VICTIM, ...responseOptions }
      return { visitor, form: await provider.visit(sent.headers.location ?? '') }
    },
    async close() {
      await provider.close()
      await replica.close()
      await server.close()
    },
  }
}

/** Posts as a program that keeps its cookies. */
export const post = (by: Pick<Visitor, 'call'>, form: SamlForm): Promise<Reply> =>
  by.call('POST', '/auth/sso/saml/acs', asForm(form))

/** Posts as the provider's page: cross-site, so without cookies. */
export const postFromElsewhere = (to: TestServer, form: SamlForm): Promise<Reply> =>
  to.call(
    'POST',
    '/auth/sso/saml/acs',
    asForm(form, {
      accept: 'text/html,*/*;q=0.8',
      origin: 'https://provider.example',
      'sec-fetch-site': 'cross-site',
    }),
  )

/** Opens a page at a replica with the visitor's cookies. */
export const browse = (to: TestServer, visitor: Visitor, location = ''): Promise<Reply> =>
  to.call('GET', location, { headers: { accept: 'text/html', cookie: cookiesOf(visitor) } })

export const asForm = (
  { SAMLResponse, RelayState }: SamlForm,
  headers: Record<string, string> = {},
): TestRequest => ({
  raw: new URLSearchParams({ SAMLResponse, RelayState }).toString(),
  headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
})

export const cookiesOf = ({ cookies }: Visitor): string =>
  [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')

export const opensSession = (reply: Reply): boolean =>
  String(reply.headers['set-cookie'] ?? '').includes('service_session=')

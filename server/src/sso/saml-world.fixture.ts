// For tests: two replicas, a SAML provider, and an organisation whose people sign in with it.
import { expect } from 'vitest'
import { type Ask, type Reply, startTestServer, type TestServer, type Visitor } from '../../test/harness.ts'
import type { OrgId } from '../kernel/ids.ts'
import { VICTIM } from './saml-forgeries.fixture.ts'
import {
  makeKeys,
  type SamlForm,
  type SamlKeys,
  type SamlProvider,
  type SamlResponseOptions,
  startSamlProvider,
} from './saml-provider-stand-in.ts'
import { MachineClock, openSsoOrg } from './sso.fixture.ts'

export type SamlWorld = {
  server: TestServer
  replica: TestServer
  provider: SamlProvider
  org: OrgId
  /** A second pair of keys that the connection believes. */
  otherKeys: SamlKeys
  /** Sets out for the provider and comes back with what it says. */
  begin(
    responseOptions?: SamlResponseOptions,
    from?: { orgId?: OrgId; next?: string },
  ): Promise<{ visitor: Visitor; form: SamlForm }>
  /** Another organisation with this or another provider. */
  team(domain: string, its?: SamlProvider, groupRoleMap?: Record<string, string>): Promise<OrgId>
  close(): Promise<void>
}

export async function openSamlWorld(): Promise<SamlWorld> {
  // The provider's clock is the machine's, so ours is as well.
  const clock = new MachineClock()
  const server = await startTestServer({ clock })
  const replica = await startTestServer({ clock, url: server.url })
  const provider = await startSamlProvider()
  const otherKeys = makeKeys()

  const team: SamlWorld['team'] = async (domain, its = provider, groupRoleMap) => {
    const certificate = otherKeys.certificate + its.keys.certificate
    const connection = { type: 'saml', entityId: its.entityId, ssoUrl: its.ssoUrl, certificate }
    const wishes = { connection, domains: [domain], ...(groupRoleMap && { groupRoleMap }) }
    return (await openSsoOrg(server, wishes)).orgId
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

/** As a program posts it, which keeps its cookies. */
export const post = (by: Pick<Visitor, 'call'>, form: SamlForm): Promise<Reply> =>
  by.call('POST', '/auth/sso/saml/acs', asForm(form))

/** As the provider's page posts it: from another site, so without cookies. */
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

/** The browser of a visitor at one of the replicas. */
export const browse = (to: TestServer, visitor: Visitor, location = ''): Promise<Reply> =>
  to.call('GET', location, { headers: { accept: 'text/html', cookie: cookiesOf(visitor) } })

export const asForm = (
  { SAMLResponse, RelayState }: SamlForm,
  headers: Record<string, string> = {},
): Ask => ({
  raw: new URLSearchParams({ SAMLResponse, RelayState }).toString(),
  headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
})

export const cookiesOf = ({ cookies }: Visitor): string =>
  [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')

export const opensSession = (reply: Reply): boolean =>
  String(reply.headers['set-cookie'] ?? '').includes('service_session=')

// During maintenance, every paid or changing call of callers who are not staff is rejected, except for the listed ones.

import { type Person, startTestServer, type TestServer } from '@cowrie/testkit/harness/harness.ts'
import { refusalIn } from '@cowrie/testkit/harness/refusal.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { modules } from './modules.ts'
import { isRail, isUnsafe, type Route } from './platform/http/route.ts'
import { maintenanceMode } from './platform/settings/platform-settings.ts'

/**
 * Staff are identified by signing in, so every sign-in route stays open. A change of the address that the owner of the account
 * did not ask for can be stopped at any time.
 */
const OPEN = [
  'auth.devLogin',
  'auth.email.revert',
  'auth.login',
  'auth.logout',
  'auth.magic.consume',
  'auth.magic.request',
  'auth.mfa.challenge',
  'auth.operatorInvite.accept',
  'auth.passkeys.signIn',
  'auth.passkeys.signInOptions',
  'auth.sso.samlAcs',
  'mcp.exchange',
  'me.email.cancel',
]

const routes = modules.flatMap(({ routes = [] }) => routes)
const isMachine = ({ access }: Route) => isRail(access) || (typeof access === 'object' && 'machine' in access)
const isStaffOnly = ({ access }: Route) => typeof access === 'object' && 'staff' in access
const concerned = routes.filter(
  (route) => (route.paid || isUnsafe(route.method)) && !isMachine(route) && !isStaffOnly(route),
)

let server: TestServer
let owner: Person
let staff: Person

beforeAll(async () => {
  server = await startTestServer()
  owner = await server.person({ type: 'team' })
  staff = await server.person({ staff: 'super_admin' })
  await server.call('PUT', '/admin/settings/maintenance_mode', { as: staff, body: { value: true } })
  await server.app.settings.refresh()
  expect(server.app.settings.get(maintenanceMode)).toBe(true)
})
afterAll(() => server.close())

async function call({ method, path, access, form }: Route, as: Person) {
  const address = path.replace(/\{(\w+)\}/g, (_, name: string) => (name === 'orgId' ? as.orgId : 'x'))
  const type = form ? { 'content-type': 'application/x-www-form-urlencoded' } : {}
  const { status, body } = await server.call(method, address, {
    ...(access === 'none' ? {} : { as }),
    headers: type,
    ...(method === 'GET' ? {} : { raw: form ? '' : '[]' }),
  })
  return status === 503 ? refusalIn(body).code : 'open'
}

test('the calls that stay open are these, each with its reason', () => {
  const open = concerned.filter((route) => route.duringMaintenance !== null)
  expect(open.map(({ name }) => name).sort()).toEqual(OPEN)
  for (const { duringMaintenance } of open) expect(duringMaintenance).toMatch(/^[A-Z].+\.$/)
  // On other routes the exception would have no effect.
  expect(routes.filter((route) => route.duringMaintenance !== null && !concerned.includes(route))).toEqual([])
})

test.for(concerned)('$name is rejected for callers who are not staff, unless it is listed', async (route) => {
  expect(await call(route, owner)).toBe(OPEN.includes(route.name) ? 'open' : 'maintenance')
})

test.for(concerned.filter(({ access }) => access === 'session'))('$name works for staff', async (route) => {
  expect(await call(route, staff)).toBe('open')
})

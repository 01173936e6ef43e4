import { test } from 'vitest'
import { startTestServer } from './harness.ts'
import { PROBE_TABLES, probe } from './probe.ts'
test('x', async () => {
  const server = await startTestServer({ modules: [probe], tables: PROBE_TABLES })
  process.stdout.write(server.service.engine.http.printRoutes({ commonPrefix: false }))
  const root = await server.person({ staff: 'super_admin' })
  const c = async (m: string, p: string, ask: object = {}) => { const r = await server.call(m, p, { as: root, ...ask }); process.stdout.write(`${m} ${p} ${r.status} ${r.text.slice(0, 150)} ${JSON.stringify(r.headers.allow ?? '')}\n`) }
  await c('GET', '/audit?from=0000-01-01')
  await c('GET', '/audit?from=2026-02-31')
  const cur = (...p: string[]) => Buffer.from(p.join('\u001f')).toString('base64url')
  for (const parts of [['99999999999999999999'], ['x'], ['2026-01-01', '99999999999999999999'], ['x', 'y'], ['0000-01-01T00:00:00Z', '1', 'aud_1'], ['x', '9999999999999999999999', 'z'], ['9'.repeat(90), '1']]) { await c('GET', `/audit?cursor=${cur(...parts)}`); await c('GET', `/audit?scope=all&cursor=${cur(...parts)}`); await c('GET', `/audit/verify?cursor=${cur(...parts)}`); await c('GET', `/audit/verify?scope=all&cursor=${cur(...parts)}`) }
  await c('GET', '/audit', { headers: { accept: 'text/csv' } })
  await c('GET', '/app/%ff')
  await c('GET', '/app/%zz')
  await c('GET', '/app/%2e%2e/x.js')
  await c('POST', '/app')
  await c('OPTIONS', '/health')
  await c('HEAD', '/probe/flood')
  await c('GET', '/%ff')
  await c('GET', '/probe/items/%ff')
  await c('GET', '/probe/items/a?limit=%ff&limit=3')
  await c('GET', '/probe/items/a?deep[]=1&__proto__=3')
  await c('PUT', '/admin/settings/__proto__', { body: { value: 1 } })
  await c('PUT', '/admin/settings/constructor', { body: { value: 1 } })
  await c('DELETE', '/admin/settings/constructor')
  await c('PUT', '/admin/settings/upstream_open_model', { body: { value: 'x'.repeat(300000) } })
  await c('PUT', '/admin/settings/upstream_base_url', { body: { value: 'http://x' } })
  await c('PUT', '/admin/settings/runs_lease_seconds', { raw: '{"value": 1e309}' })
  await c('PUT', '/admin/settings/runs_lease_seconds', { raw: '{"value": {"aMinor":1.5}}' })
  await c('PUT', '/admin/settings/runs_lease_seconds', { raw: '{"value": 30.5}' })
  process.stdout.write(server.logged.filter((l) => /"level":"(error|fatal)"/.test(l)).map((l) => l.slice(0, 600)).join(''))
  await server.close()
})

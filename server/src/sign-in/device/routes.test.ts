import type { Reply } from '@cowrie/testkit/harness/harness.ts'
import { codesOf, type DeviceFixture, openDeviceFixture } from '@cowrie/testkit/sign-in/device.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

let world: DeviceFixture
beforeAll(async () => {
  world = await openDeviceFixture()
})
afterAll(() => world.close())

const DEFAULT_SCOPES = ['agent:run', 'wallet:read', 'metrics:read']

describe('200', () => {
  test('a request returns a secret, a user code, a URL and its lifetime', async () => {
    const started = await world.start()
    expect(started).toEqual({
      deviceCode: expect.stringMatching(/^[\w-]{43}$/),
      userCode: expect.stringMatching(/^[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}$/),
      verificationUrl: 'http://cowrie.test/app/device',
      verificationUrlComplete: `http://cowrie.test/app/device#code=${started.userCode}`,
      interval: 5,
      expiresIn: 600,
      expiresAt: new Date(world.server.clock.now().getTime() + 600_000).toISOString(),
    })
  })

  test('a request needs no body', async () => {
    const reply = await world.server.call('POST', '/auth/device', {
      headers: { 'x-forwarded-for': '192.0.2.77' },
    })
    expect(reply.status).toBe(200)
  })

  test('the user sees the program, its address and scopes, with any spelling of the code', async () => {
    const wanted = { clientName: 'CLI on kudu', scopes: ['wallet:read', 'wallet:read'] }
    const { userCode, expiresAt } = (await world.ask(wanted, '203.0.113.9')).body
    const typed = ` ${userCode.toLowerCase().replace('-', '')}`
    const reply = await world.look(encodeURIComponent(typed))
    expect(reply).toMatchObject({ status: 200 })
    expect(reply.body).toEqual({
      userCode,
      clientName: 'CLI on kudu',
      scopes: ['wallet:read'],
      address: '203.0.113.9',
      userAgent: 'cowrie-cli/1',
      createdAt: world.server.clock.now().toISOString(),
      expiresAt,
      status: 'pending',
    })
  })

  test('an approved request gives its key once, for the organisation and scopes that were approved', async () => {
    const person = await world.server.person()
    const login = await world.start({ clientName: 'CLI on kudu', scopes: ['keys:manage'] })
    expect(await world.poll(login)).toMatchObject({
      status: 400,
      body: { code: 'authorization_pending', interval: 5 },
    })
    expect(await world.act('approve', login, person)).toMatchObject({ status: 200, body: { ok: true } })
    expect(await world.keysOf(person)).toBe(0)
    expect((await world.look(login.userCode, person)).body.status).toBe('approved')

    const { status, body, headers } = await world.poll(login)
    expect([status, headers['cache-control']]).toEqual([200, 'no-store'])
    const { userId, orgId } = person
    expect(body).toEqual({
      key: expect.stringMatching(/^csk_/),
      id: expect.stringMatching(/^key_/),
      orgId,
      userId,
      scopes: ['keys:manage'],
    })
    const me = await world.server.call('GET', '/me', { as: { bearer: body.key } })
    expect(me.body).toMatchObject({ userId, orgId, scopes: ['keys:manage'] })
    const [key] = await world.server.sql.rows`select name from api_keys where id = ${body.id}`
    expect(key).toEqual({ name: 'CLI on kudu' })

    expect(await world.poll(login)).toMatchObject({ status: 400, body: { code: 'expired' } })
    expect(await world.keysOf(person)).toBe(1)
    expect((await world.look(login.userCode, person)).body.status).toBe('done')
  })

  test('a request without fields gets the default scopes and name', async () => {
    const login = await world.start()
    await world.act('approve', login)
    const { body } = await world.poll(login)
    expect(body.scopes).toEqual(DEFAULT_SCOPES)
    expect(await world.server.sql.rows`select name from api_keys where id = ${body.id}`).toEqual([
      { name: 'Cowrie CLI' },
    ])
  })

  test('the audit log shows who approved and which key was created', async () => {
    const person = await world.server.person()
    const login = await world.start({ clientName: 'CLI on kudu' })
    await world.act('approve', login, person)
    const { body } = await world.poll(login)
    const { body: audit } = await world.server.call<{ entries: Record<string, unknown>[] }>('GET', '/audit', {
      as: person,
    })
    expect(audit.entries).toMatchObject([
      {
        action: 'auth.device.token',
        actorKind: 'user',
        actorUserId: person.userId,
        actorEmail: person.email,
        target: body.id,
        metadata: { name: 'CLI on kudu', scopes: DEFAULT_SCOPES },
      },
      { action: 'auth.device.approve', actorUserId: person.userId, metadata: { clientName: 'CLI on kudu' } },
    ])
  })

  test('the user is notified by mail of the approved program', async () => {
    const person = await world.server.person({ email: 'chidi@example.com' })
    const outbox = async () => {
      await world.server.app.jobs.drain()
      return (await world.server.call('GET', '/dev/outbox?to=chidi@example.com')).text
    }
    const login = (await world.ask({ clientName: 'CLI on kudu.example' }, '203.0.113.10')).body
    await world.act('approve', login, person)
    expect(await outbox()).not.toContain('CLI on kudu')
    const { body } = await world.poll(login)
    const mails = await outbox()
    // The name comes from an unknown program, so the mail must not link it.
    for (const said of ['“CLI on kudu example”', '203.0.113.10', 'http://cowrie.test/app/keys'])
      expect(mails).toContain(said)
    expect(mails).not.toContain(body.key)
  })

  test('a second click changes nothing, and an approval can be revoked until the key is collected', async () => {
    const login = await world.start()
    for (const verb of ['approve', 'approve', 'deny', 'deny'] as const)
      expect((await world.act(verb, login)).status).toBe(200)
    expect(await world.poll(login)).toMatchObject({ status: 400, body: { code: 'access_denied' } })
  })

  test('a suspended organisation can still be signed in to', async () => {
    const person = await world.server.person()
    await world.server.sql
      .rows`update orgs set suspended_at = ${world.server.clock.now()} where id = ${person.orgId}`
    const login = await world.start()
    expect((await world.act('approve', login, person)).status).toBe(200)
    expect((await world.poll(login)).status).toBe(200)
  })
})

describe('400', () => {
  test.for([
    { clientName: '' },
    { clientName: ' ' },
    { clientName: 'x'.repeat(101) },
    { clientName: 'safe\u202eexe' },
    { clientName: 'two\nlines' },
    { scopes: ['everything'] },
    { scopes: 'agent:run' },
  ])('%j is refused', async (body) => {
    expect(await world.ask(body)).toMatchObject({ status: 400, body: { code: 'invalid_fields' } })
  })

  test('polling too fast gets slow_down and a longer interval each time', async () => {
    const login = await world.start()
    const seen: unknown[] = []
    const pollAfter = async (seconds: number, on = world.server) => {
      world.server.clock.advance({ seconds })
      const { body } = await world.poll(login, on)
      seen.push([(body as unknown as Reply['body']).code, (body as unknown as Reply['body']).interval])
    }
    await pollAfter(0)
    await pollAfter(4.9, world.replica)
    await pollAfter(9.9)
    await pollAfter(15, world.replica)
    await pollAfter(14.9)
    await pollAfter(20)
    expect(seen).toEqual([
      ['authorization_pending', 5],
      ['slow_down', 10],
      ['slow_down', 15],
      ['authorization_pending', 15],
      ['slow_down', 20],
      ['authorization_pending', 20],
    ])
  })

  test('the interval never grows beyond a minute', async () => {
    const login = await world.start()
    for (let i = 0; i < 20; i++) await world.poll(login)
    expect((await world.poll(login)).body).toMatchObject({ code: 'slow_down', interval: 60 })
  })

  test('an approved key is returned at once, however fast the program polls', async () => {
    const login = await world.start()
    await world.poll(login)
    await world.poll(login)
    await world.act('approve', login)
    expect((await world.poll(login)).status).toBe(200)
  })

  test('a refused request stays refused', async () => {
    const login = await world.start()
    expect((await world.act('deny', login)).status).toBe(200)
    for (let i = 0; i < 2; i++)
      expect(await world.poll(login)).toMatchObject({ status: 400, body: { code: 'access_denied' } })
    expect((await world.look(login.userCode)).body.status).toBe('denied')
  })

  test('an unknown code counts as expired', async () => {
    expect(await world.poll({ deviceCode: 'x'.repeat(43) })).toMatchObject({
      status: 400,
      body: { code: 'expired' },
    })
  })

  test('a request expires after ten minutes, approved or not', async () => {
    const [waiting, approved] = [await world.start(), await world.start()]
    await world.act('approve', approved)
    world.server.clock.advance({ minutes: 9, seconds: 59 })
    expect(await world.poll(waiting)).toMatchObject({ body: { code: 'authorization_pending' } })
    world.server.clock.advance({ seconds: 1 })
    expect(codesOf([await world.poll(waiting), await world.poll(approved)])).toEqual(['expired', 'expired'])
    expect(codesOf([await world.look(waiting.userCode), await world.act('approve', waiting)])).toEqual([
      'not_found',
      'not_found',
    ])
  })

  test('a user who left the organisation after approving grants nothing', async () => {
    const owner = await world.server.person({ type: 'team' })
    const member = await world.server.member(owner.orgId, 'member')
    const login = await world.start()
    await world.act('approve', login, member)
    await world.server.sql.rows`delete from memberships where user_id = ${member.userId}`
    expect(await world.poll(login)).toMatchObject({ status: 400, body: { code: 'access_denied' } })
    expect(await world.keysOf(owner)).toBe(0)
  })
})

describe('401 and 403', () => {
  test('callers without a session see and decide nothing', async () => {
    const { userCode } = await world.start()
    const replies = [
      await world.server.call('GET', `/auth/device/${userCode}`),
      await world.server.call('POST', `/auth/device/${userCode}/approve`),
      await world.server.call('POST', `/auth/device/${userCode}/deny`),
    ]
    expect(codesOf(replies)).toEqual(Array(3).fill('unauthenticated'))
  })

  test('a key cannot approve another', async () => {
    const { userCode } = await world.start()
    const key = await world.server.key(world.ada, ['keys:manage'])
    expect(await world.server.call('POST', `/auth/device/${userCode}/approve`, { as: key })).toMatchObject({
      status: 403,
      body: { code: 'session_required' },
    })
  })

  test('another website cannot approve for a signed-in user', async () => {
    const { userCode } = await world.start()
    const browser = world.server.visitor()
    await browser.call('POST', '/auth/dev-login', { body: { email: 'ada@example.com' } })
    const from = (headers: Record<string, string>) =>
      browser.call('POST', `/auth/device/${userCode}/approve`, { headers })
    expect(await from({ 'sec-fetch-site': 'cross-site' })).toMatchObject({ body: { code: 'cross_origin' } })
    expect(await from({ origin: 'https://evil.example' })).toMatchObject({ body: { code: 'cross_origin' } })
    expect((await from({ 'sec-fetch-site': 'same-origin' })).status).toBe(200)
  })

  test('where single sign-on is required, a session without it sees and denies but does not approve', async () => {
    const browser = world.server.visitor()
    const { body: account } = await browser.call('POST', '/auth/dev-login', {
      body: { email: 'bola@example.com' },
    })
    const login = await world.start()
    await world.server.sql.rows`update orgs set sso_required = true where id = ${String(account.orgId)}`
    expect((await browser.call('GET', `/auth/device/${login.userCode}`)).status).toBe(200)
    expect(await browser.call('POST', `/auth/device/${login.userCode}/approve`)).toMatchObject({
      status: 403,
      body: { code: 'sso_required' },
    })
    expect(await world.poll(login)).toMatchObject({ body: { code: 'authorization_pending' } })
    expect((await browser.call('POST', `/auth/device/${login.userCode}/deny`)).status).toBe(200)
  })
})

describe('404 and 409', () => {
  test('a user at the key limit gets the key after removing one', async () => {
    const person = await world.server.person()
    for (let i = 0; i < 50; i++) await world.server.key(person, [])
    const login = await world.start()
    await world.act('approve', login, person)
    expect(await world.poll(login)).toMatchObject({ status: 409, body: { code: 'limit_reached' } })
    await world.server.sql.rows`
      update api_keys set revoked_at = ${world.server.clock.now()}
      where id = (select id from api_keys where user_id = ${person.userId} limit 1)`
    expect((await world.poll(login)).status).toBe(200)
  })

  test('a request decided by one user is not found for another', async () => {
    const eve = await world.server.person()
    const login = await world.start()
    await world.act('approve', login)
    expect(codesOf([await world.look(login.userCode, eve), await world.act('deny', login, eve)])).toEqual([
      'not_found',
      'not_found',
    ])
    expect((await world.poll(login)).status).toBe(200)
  })

  test('a denied request cannot be approved, and a collected one cannot be denied', async () => {
    const [denied, collected] = [await world.start(), await world.start()]
    await world.act('deny', denied)
    expect(await world.act('approve', denied)).toMatchObject({
      status: 409,
      body: { code: 'already_decided' },
    })
    await world.act('approve', collected)
    await world.poll(collected)
    expect(await world.act('deny', collected)).toMatchObject({
      status: 409,
      body: { code: 'already_decided' },
    })
  })
})

test('neither the device code nor the key is in the database or the log', async () => {
  const login = await world.start()
  await world.act('approve', login)
  const { body } = await world.poll(login)
  const tables = await world.server.sql.rows<{ name: string }>`
    select table_name as name from information_schema.tables where table_schema = 'public'`
  expect(tables.map(({ name }) => name)).toContain('device_logins')
  const [dump] = await world.server.sql.rows<{ text: string }>`
    select string_agg(query_to_xml(format('select * from %I', table_name), true, false, '')::text, '') as text
    from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'`
  expect(dump?.text).toContain(login.userCode.replace('-', ''))
  for (const text of [dump?.text ?? '', [...world.server.logged, ...world.replica.logged].join('\n')]) {
    expect(text).not.toContain(login.deviceCode)
    expect(text).not.toContain(body.key)
    expect(text).not.toContain(body.key.split('_')[2])
  }
})

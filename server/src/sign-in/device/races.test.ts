import {
  codesOf,
  type DeviceFixture,
  openDeviceFixture,
  type StartedDeviceLogin,
} from '@cowrie/testkit/sign-in/device.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

let world: DeviceFixture
beforeAll(async () => {
  world = await openDeviceFixture()
})
afterAll(() => world.close())

describe('at the same time', () => {
  test('an approval on one replica is collected once on another', async () => {
    const person = await world.server.person()
    const login = await world.start()
    await world.act('approve', login, person)
    const polls = await Promise.all(
      Array.from({ length: 8 }, (_, i) => world.poll(login, i % 2 === 0 ? world.server : world.replica)),
    )
    expect(codesOf(polls)).toEqual([200, ...Array(7).fill('expired')])
    expect(await world.keysOf(person)).toBe(1)
  })

  test('of two users who approve at once, one decides', async () => {
    const { server, replica, ada } = world
    const eve = await server.person()
    const login = await world.start()
    const stored = login.userCode.replace('-', '')
    const both = await world.collide(
      (tx) => tx.rows`select id from device_logins where user_code = ${stored} for update`,
      2,
      () => [world.act('approve', login, ada, server), world.act('approve', login, eve, replica)],
    )
    expect(codesOf(both)).toEqual([200, 'not_found'])
    const winner = both[0]?.status === 200 ? ada : eve
    expect((await world.poll(login)).body.userId).toBe(winner.userId)
  })

  test('a session that is ended meanwhile does not approve', async () => {
    const browser = world.server.visitor()
    await browser.call('POST', '/auth/dev-login', { body: { email: 'chidi@example.com' } })
    const { userCode, deviceCode } = await world.start()
    const ended = await world.collide(
      async (tx) => {
        await tx.rows`select id from device_logins where user_code = ${userCode.replace('-', '')} for update`
        await tx.rows`
          update sessions set revoked_at = ${tx.now}
          where user_id = (select id from users where email = 'chidi@example.com')`
      },
      1,
      () => [browser.call('POST', `/auth/device/${userCode}/approve`)],
    )
    expect(codesOf(ended)).toEqual(['unauthenticated'])
    expect((await world.poll({ deviceCode })).body).toMatchObject({ code: 'authorization_pending' })
  })

  test('concurrent requests of one network cannot exceed the limit', async () => {
    const address = '203.0.113.50'
    for (let i = 0; i < 47; i++) await world.ask({}, address)
    const together = await world.collide(
      (tx) => tx.rows`lock table device_logins in share mode`,
      6,
      () => Array.from({ length: 6 }, () => world.ask({}, address, world.replica)),
    )
    expect(codesOf(together)).toEqual([...Array(3).fill(200), ...Array(3).fill('too_many_attempts')])
  })
})

describe('429', () => {
  test('fifty requests of one network may wait, counted together on all replicas', async () => {
    const addresses = ['2001:db8:1:2::a', '2001:db8:1:2::b']
    const many = await Promise.all(
      Array.from({ length: 54 }, (_, i) =>
        (i % 2 === 0 ? world.server : world.replica).call<StartedDeviceLogin>('POST', '/auth/device', {
          headers: { 'x-forwarded-for': addresses[i % 2] ?? '' },
        }),
      ),
    )
    expect(codesOf(many)).toEqual([...Array(50).fill(200), ...Array(4).fill('too_many_attempts')])
    const refused = many.find(({ status }) => status === 429)
    expect(refused?.headers['retry-after']).toBe('600')

    const first = many.find(({ status }) => status === 200)?.body as StartedDeviceLogin
    await world.act('deny', first)
    expect((await world.ask({}, '2001:db8:1:2::a')).status).toBe(200)
    world.server.clock.advance({ minutes: 10 })
    expect((await world.ask({}, '2001:db8:1:2::a')).status).toBe(200)
  })

  test('ten wrong codes of a user are the limit, also at once, and a correct one does not reset it', async () => {
    const guesser = await world.server.person()
    const login = await world.start()
    const guesses = await Promise.all(
      Array.from({ length: 14 }, (_, i) =>
        world.look(i === 5 ? login.userCode : `BBBB-BBB${'BCDFGHJKLMNPQRSTVWXZ'[i]}`, guesser),
      ),
    )
    const [right] = guesses.splice(5, 1)
    expect([200, 429]).toContain(right?.status)
    expect(codesOf(guesses)).toEqual([...Array(10).fill('not_found'), ...Array(3).fill('too_many_attempts')])
    expect(
      codesOf([await world.act('approve', login, guesser), await world.act('deny', login, guesser)]),
    ).toEqual(['too_many_attempts', 'too_many_attempts'])
    expect((await world.look(login.userCode)).status).toBe(200)

    world.server.clock.advance({ minutes: 15 })
    expect((await world.look((await world.start()).userCode, guesser)).status).toBe(200)
  })
})

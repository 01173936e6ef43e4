import { type DeviceFixture, openDeviceFixture } from '@cowrie/testkit/sign-in/device.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { denyUncollectedApprovals } from './decision.ts'

let fixture: DeviceFixture
beforeAll(async () => {
  fixture = await openDeviceFixture()
})
afterAll(() => fixture.close())

test('one approval yields one key, also when it is repeated after collection', async () => {
  const { ada, start, act, poll, keysOf } = fixture
  const login = await start({ scopes: ['agent:run'] })
  await act('approve', login)
  expect((await poll(login)).status).toBe(200)
  const before = await keysOf(ada)
  await act('approve', login)
  expect((await poll(login)).body).toMatchObject({ code: 'expired' })
  expect(await keysOf(ada)).toBe(before)
})

test('a password change denies only the approvals of its user', async () => {
  const { server, ada, start, act, poll } = fixture
  const grace = await server.person()
  const [own, other] = [await start(), await start()]
  await act('approve', own, ada)
  await act('approve', other, grace)
  await server.app.db.tx('platform', (tx) => denyUncollectedApprovals(tx, ada.userId))
  expect((await poll(own)).body).toMatchObject({ code: 'access_denied' })
  expect(await poll(other)).toMatchObject({ status: 200, body: { userId: grace.userId } })
})

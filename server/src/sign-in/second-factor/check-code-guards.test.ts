import { startTestServer, type TestServer } from '@cowrie/testkit/harness/harness.ts'
import { challengeFor, codeOf, createMfaUser, wrongCode } from '@cowrie/testkit/sign-in/second-factor.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

test('a correct code does not reset the daily count of wrong ones', async () => {
  const person = await createMfaUser(server)
  const answer = async (code: string) =>
    (
      await server.call('POST', '/auth/mfa/challenge', {
        body: { challenge: await challengeFor(server, person), code },
      })
    ).status
  for (let wrong = 0; wrong < 50; wrong++) {
    if (wrong % 10 === 0) server.clock.advance({ minutes: 5 })
    if (wrong === 25) expect(await answer(codeOf(server, person.secret))).toBe(200)
    expect(await answer(wrongCode(server, person.secret))).toBe(401)
  }
  server.clock.advance({ minutes: 5 })
  expect(await answer(codeOf(server, person.secret))).toBe(429)
})

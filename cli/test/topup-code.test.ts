// Mobile money that needs a one-time code: the real service with a fake provider.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type FakePaystack, OTP, startFakePaystack } from '@cowrie/testkit/fakes/payments/paystack.ts'
import { type Person, startTestServer, type TestServer } from '@cowrie/testkit/harness/harness.ts'
import { balanceOf, customer } from '@cowrie/testkit/payments/topup-fixture.ts'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import type { Machine } from '../src/system/machine.ts'
import { cowrie } from './cowrie.ts'

let server: TestServer
let paystack: FakePaystack
let kofi: Person
let home: string
let env: Record<string, string>
let phones = 0

beforeAll(async () => {
  paystack = await startFakePaystack()
  server = await startTestServer({ variables: paystack.variables })
  const url = await server.listen()
  kofi = await customer(server, 'GHS')
  home = await mkdtemp(join(tmpdir(), 'cowrie-code-'))
  env = { COWRIE_URL: url, COWRIE_API_KEY: (await server.key(kofi, [])).bearer, XDG_STATE_HOME: home }
})
afterEach(() => paystack.heal())
afterAll(async () => {
  await server.close()
  await paystack.close()
  await rm(home, { recursive: true, force: true })
})

/** The service limits prompts per phone, and orders top-ups by time, so each test advances the clock. */
function topupArgs(): string[] {
  server.clock.advance({ seconds: 1 })
  return ['topup', '12.34', '--channel', 'telecel_cash', '--phone', `020123${1000 + phones++}`, '--yes']
}
const newest = async (): Promise<string> => {
  const { body } = await server.call<{ topups: { reference: string }[] }>('GET', '/wallet/topups', {
    as: kofi,
  })
  return body.topups[0]?.reference ?? ''
}
const passing = (during: (pause: number) => unknown): Partial<Machine> => {
  let pauses = 0
  return {
    now: () => server.clock.now(),
    nowMs: () => server.clock.now().getTime(),
    async sleep(ms) {
      server.clock.advance({ ms })
      await during(++pauses)
    },
  }
}

test('the command asks for the code, again after a wrong one, and then waits for the payment', async () => {
  const before = await balanceOf(server, kofi)
  const ended = await cowrie(topupArgs(), {
    env,
    machine: {
      ...passing(async () => void paystack.pay(await newest())),
      isStdinTerminal: true,
      async *stdin() {
        yield '000000\n'
        yield `${OTP}\n`
      },
    },
  })
  expect(ended.stderr).toContain('network rejected this code')
  expect(ended.stdout).toContain('*110#')
  expect(ended.stdout).toMatch(/\+GH₵12\.34 · Balance GH₵[\d.]+\n$/)
  expect(ended.code).toBe(0)
  expect(await balanceOf(server, kofi)).toBe(before + 1234n)
})

test('without a terminal it exits with 8 and prints how to submit the code', async () => {
  const started = await cowrie(topupArgs(), { env, machine: passing(() => undefined) })
  const reference = await newest()
  expect(started.code).toBe(8)
  expect(started.stderr).toContain(`cowrie wallet topup --resume ${reference} --otp <code>`)

  const resumed = await cowrie(['topup', '--resume', reference, '--otp', OTP], {
    env,
    machine: passing(() => void paystack.pay(reference)),
  })
  expect(resumed.stdout).toContain('+GH₵12.34')
  expect(resumed.code).toBe(0)
})

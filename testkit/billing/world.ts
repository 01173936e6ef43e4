// The service and a fake card provider, for one test file.

import { present } from '@cowrie/server/src/kernel/assert.ts'
import { afterAll, beforeAll } from 'vitest'
import { type FakePaystack, startFakePaystack } from '../fakes/payments/paystack.ts'
import { startTestServer, type TestServer } from '../harness/harness.ts'

export type World = { readonly server: TestServer; readonly bank: FakePaystack }
export type WorldWithReplica = World & { readonly second: TestServer }
const MONEY_SCHEDULES = ['billing.', 'payments.', 'wallet.', 'invoices.']

type Options = {
  /** Settings of the service beside those of the provider. */
  readonly variables?: Readonly<Record<string, string>>
  /** The starts of the names of schedules that fire by themselves. Default: those that move money of customers. */
  readonly schedules?: readonly string[]
  /** Checks the final state. */
  readonly atEnd?: (world: World) => Promise<void>
}

/** Starts before the tests of the file and stops after them. */
export function useWorld({
  variables = {},
  schedules = MONEY_SCHEDULES,
  atEnd = async () => undefined,
}: Options = {}): World {
  let started: World | undefined
  const world = () => present(started, 'the world exists while tests run')
  beforeAll(async () => {
    const bank = await startFakePaystack()
    const server = await startTestServer({
      variables: { ...bank.variables, ...variables },
      schedules,
    })
    started = { bank, server }
  })
  afterAll(async () => {
    const { server, bank } = world()
    await atEnd(world())
    await server.close()
    await bank.close()
  })
  return {
    get server() {
      return world().server
    },
    get bank() {
      return world().bank
    },
  }
}

/** As `useWorld`, with a second replica on the same database and clock. */
export function useReplicas(options: Options = {}): WorldWithReplica {
  const world = useWorld(options)
  let replica: TestServer | undefined
  beforeAll(async () => {
    const { url, clock } = world.server
    const variables = { ...world.bank.variables, ...options.variables }
    const { schedules = MONEY_SCHEDULES } = options
    replica = await startTestServer({ variables, schedules, url, clock })
  })
  afterAll(() => replica?.close())
  return {
    get server() {
      return world.server
    },
    get bank() {
      return world.bank
    },
    get second() {
      return present(replica, 'the replica exists while tests run')
    },
  }
}

// The service and a fake card provider, for one test file.

import { present } from '@cowrie/server/src/kernel/assert.ts'
import { afterAll, beforeAll } from 'vitest'
import { type FakePaystack, startFakePaystack } from '../fakes/payments/paystack.ts'
import { startTestServer, type TestServer } from '../harness/harness.ts'

export type World = { readonly server: TestServer; readonly bank: FakePaystack }

/** Starts before the tests of the file and stops after them. `atEnd` checks the final state. */
export function useWorld(atEnd: (world: World) => Promise<void> = async () => undefined): World {
  let started: World | undefined
  const world = () => present(started, 'the world exists while tests run')
  beforeAll(async () => {
    const bank = await startFakePaystack()
    started = { bank, server: await startTestServer({ variables: bank.variables }) }
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

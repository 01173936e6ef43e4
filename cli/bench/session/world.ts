// A service in its own process, with the model of the session behind it.
import { type FakeUpstream, startFakeUpstream } from '@cowrie/testkit/fakes/models/fake-upstream.ts'
import { creditCallers } from '../../../server/bench/credit-callers.ts'
import { openEnvironment } from '../../../server/bench/environment.ts'
import { start } from '../../../server/bench/processes.ts'

export type SessionWorld = {
  readonly model: FakeUpstream
  readonly port: number
  /** The keys of customers with funds. */
  readonly keys: readonly string[]
}

/** Large enough that no client summarises the conversation. */
const CONTEXT_TOKENS = '400000'

export async function withWorld<T>(work: (world: SessionWorld) => Promise<T>): Promise<T> {
  const model = await startFakeUpstream()
  const environment = await openEnvironment()
  try {
    await creditCallers(environment.variables.DATABASE_URL ?? '')
    const service = start('http/service-process.ts', {
      ...environment.variables,
      SERVICE_UPSTREAM_BASE_URL: model.url,
      SERVICE_UPSTREAM_API_KEY: 'anything',
      SERVICE_UPSTREAM_OPEN_MODEL: 'small-1',
      SERVICE_UPSTREAM_CONTEXT_TOKENS: CONTEXT_TOKENS,
      SERVICE_SANDBOX_LOCAL: 'off',
      SERVICE_SANDBOX_DOCKER: 'off',
    })
    try {
      const port = await service.ask<number>('port', 120_000)
      return await work({ model, port, keys: environment.callers.map(({ bearer }) => bearer) })
    } finally {
      await service.stop()
    }
  } finally {
    await environment.close()
    await model.close()
  }
}

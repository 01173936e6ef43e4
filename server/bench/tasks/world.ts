// A service and a scripted model in separate processes, and a customer with funds.
import { present } from '../../src/kernel/assert.ts'
import { creditCallers } from '../credit-callers.ts'
import type { BenchEnvironment } from '../environment.ts'
import type { Caller } from '../http/requests.ts'
import type { Server } from '../http/rounds.ts'
import { start } from '../processes.ts'
import { createTaskClient, type TaskClient } from './task-client.ts'

export type TaskBench = {
  readonly service: Server
  readonly model: Server
  readonly caller: Caller
  readonly client: TaskClient
}

/** `flags` are those of the process of the service. */
export async function withTaskBench<T>(
  { variables, callers }: Pick<BenchEnvironment, 'variables' | 'callers'>,
  flags: string[],
  work: (bench: TaskBench) => Promise<T>,
): Promise<T> {
  await creditCallers(variables.DATABASE_URL ?? '')
  const model = start('tasks/model-process.ts')
  const modelPort = await model.ask<number>('port')
  const service = start(
    'http/service-process.ts',
    {
      ...variables,
      SERVICE_UPSTREAM_BASE_URL: `http://127.0.0.1:${modelPort}/v1`,
      SERVICE_UPSTREAM_API_KEY: 'anything',
      SERVICE_UPSTREAM_OPEN_MODEL: 'small-1',
      // A large window: the long task is not summarised.
      SERVICE_UPSTREAM_CONTEXT_TOKENS: '1000000',
      // Verification runs tests, which is no overhead of a turn.
      SERVICE_SANDBOX_LOCAL: 'off',
      SERVICE_SANDBOX_DOCKER: 'off',
    },
    flags,
  )
  try {
    const ours: Server = { process: service, port: await service.ask('port') }
    const caller = present(callers[0], 'an environment has callers')
    const client = createTaskClient(ours, caller)
    try {
      return await work({ service: ours, model: { process: model, port: modelPort }, caller, client })
    } finally {
      client.close()
    }
  } finally {
    await Promise.all([service.stop(), model.stop()])
  }
}

// The service in production mode with the benchmark routes, as a process that reports its CPU and memory.
import { readConfig } from '../../src/platform/config.ts'
import { createLog, type LogLevel } from '../../src/platform/log/log.ts'
import { startService } from '../../src/service.ts'
import { answer, processUsage, type Question } from '../processes.ts'
import { bench, openGate } from './module.ts'

const config = readConfig(process.env, '0.0.0')
const service = await startService({
  config,
  variables: process.env,
  log: createLog({ level: config.logLevel as LogLevel }),
  extra: [bench],
})
const address = await service.listen()

answer(
  (question: Question) => {
    if (question === 'go') openGate()
    return question === 'port' ? Number(new URL(address).port) : processUsage(question === 'memory')
  },
  () => service.close(),
)

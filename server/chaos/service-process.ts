// The service with the chaos routes, as a process that can be killed.
import { readConfig } from '../src/platform/config.ts'
import { createLog } from '../src/platform/log/log.ts'
import { startService } from '../src/service.ts'
import { chaos } from './module.ts'

const service = await startService({
  config: readConfig(process.env, '0.0.0'),
  variables: process.env,
  log: createLog({ level: 'silent' }),
  extra: [chaos],
})
process.once('disconnect', () => process.exit(0))
process.send?.({ address: await service.listen() })

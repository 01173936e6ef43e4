// The service with the probe routes in a separate process that tests can kill.
import { flushCompileCache } from 'node:module'
import { readConfig } from '@cowrie/server/src/platform/config.ts'
import { createLog } from '@cowrie/server/src/platform/log/log.ts'
import { startService } from '@cowrie/server/src/service.ts'
import { probe } from '../harness/probe.ts'
import { GENEROUS_TIMEOUTS } from '../harness/timeouts.ts'

const log = createLog({ level: 'error' })
const service = await startService({
  config: readConfig(process.env, '0.4.0'),
  variables: process.env,
  log,
  extra: [probe],
  timeouts: GENEROUS_TIMEOUTS,
})
process.once('disconnect', () => service.close().then(() => process.exit(0)))
process.send?.({ address: await service.listen() })
// A killed process does not write its compile cache, so it is flushed now for the next start.
flushCompileCache()

// Starts the service, and stops it gracefully on a signal.
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import closeWithGrace from 'close-with-grace'
import { loadConfig } from './configuration.ts'
import { hasUpstream } from './models/models.ts'
import type { Config } from './platform/config.ts'
import { checkDatabase } from './platform/db/check-database.ts'
import { ConfigError } from './platform/environment/environment.ts'
import { createLog, type LogLevel, outliveTerminal } from './platform/log/log.ts'
import { onStopSignals, STOP_SIGNALS } from './platform/stop-signals.ts'
import { startService } from './service.ts'

const DRAIN_MS = 25_000

const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
  version: string
}

outliveTerminal()
let config: Config
try {
  config = loadConfig(process.env, { version, root: fileURLToPath(new URL('../..', import.meta.url)) })
} catch (error) {
  refuseToStart(error)
}

const log = createLog({
  level: config.logLevel as LogLevel,
  pretty: config.environment === 'development' && process.stdout.isTTY === true,
})
for (const warning of config.warnings) log.warn({ warning }, 'config.variable.ignored')

try {
  if (config.databaseUrl !== null)
    await checkDatabase(config.databaseUrl, config.environment === 'production', (warning) =>
      log.warn({ warning }, 'database.role.too_powerful'),
    )
  const service = await startService({ config, variables: process.env, log })
  const grace = closeWithGrace({ delay: DRAIN_MS, skip: [...STOP_SIGNALS] }, async ({ err }) => {
    if (err) log.fatal({ err }, 'process.error.uncaught')
    await service.close()
    log.flush()
  })
  let isStopping = false
  const stop = (reason: string) => {
    if (isStopping) return
    isStopping = true
    log.info({ reason }, 'process.stop.started')
    grace.close()
  }
  onStopSignals({
    onStop: stop,
    onForce: (signal) => {
      log.fatal({ reason: signal }, 'process.stop.forced')
      log.flush()
      process.exit(1)
    },
  })
  // A parent process holds the other end of the channel. When it dies for any reason, this process stops.
  process.once('disconnect', () => stop('disconnect'))
  process.channel?.unref()
  const address = await service.listen()
  announce(config, address, hasUpstream(service.app))
  process.send?.({ address })
} catch (error) {
  log.flush()
  refuseToStart(error)
}

/** Exit code 78: the configuration is invalid, and a restart would not help. */
function refuseToStart(error: unknown): never {
  const isConfig = error instanceof ConfigError
  const reason = error instanceof Error ? error.message : String(error)
  process.stderr.write(isConfig ? `${reason}\n` : `Cowrie could not start: ${reason}\n`)
  process.exit(isConfig ? 78 : 1)
}

function developmentSignIn(isOn: boolean): string {
  return `  Development sign-in: ${isOn ? 'on (POST /auth/dev-login)' : 'off (SERVICE_DEV_AUTH=on turns it on)'}`
}

/** Prints the address, and the parts that are fake or missing. */
function announce(
  { databaseUrl, smtpUrl, search, rails, environment, devAuth, dataDir }: Config,
  address: string,
  hasModels: boolean,
): void {
  const missing: string[] = []
  if (!hasModels) missing.push('models (built-in development model; set SERVICE_UPSTREAM_BASE_URL)')
  if (Object.keys(rails).length === 0) missing.push('payments (no provider has a key)')
  if (!smtpUrl) missing.push('mail (captured in the outbox: GET /dev/outbox)')
  if (!search) missing.push('web search (none configured)')
  const lines = [
    '',
    `  Cowrie ${version} (${environment}) is ready at ${address}`,
    `  App /app   Reference /docs   Health /health`,
    `  Database: ${databaseUrl ? 'the server of DATABASE_URL' : `embedded, in ${dataDir}`}`,
    ...(environment === 'production' ? [] : [`  Fake or missing: ${missing.join('; ') || 'nothing'}`]),
    ...(environment === 'production' ? [] : [developmentSignIn(devAuth)]),
    '',
  ]
  process.stdout.write(`${lines.join('\n')}\n`)
}

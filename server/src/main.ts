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
import { type Supervision, supervisionIn } from './platform/processes/messages.ts'
import { freeStartMemory } from './platform/processes/start-garbage.ts'
import { onStopSignals, STOP_SIGNALS } from './platform/processes/stop-signals.ts'
import { StartFailed, supervise } from './platform/processes/supervise.ts'
import { report, shareMetrics } from './platform/processes/supervised.ts'
import { openDataDir, requirePort, startDatabase, startService } from './service.ts'

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
  const supervision = supervisionIn(process.argv)
  if (config.workers > 1 && supervision === null) await superviseAll()
  else await serve(supervision)
} catch (error) {
  log.flush()
  refuseToStart(error)
}

/** Runs the service in this process. */
async function serve(supervision: Supervision | null): Promise<void> {
  if (config.databaseUrl !== null)
    await checkDatabase(config.databaseUrl, config.environment === 'production', (warning) =>
      log.warn({ warning }, 'database.role.too_powerful'),
    )
  const service = await startService({
    config: supervision?.port ? { ...config, port: supervision.port } : config,
    variables: process.env,
    log,
    ...(supervision && {
      embeddedUrl: supervision.embeddedUrl,
      shareMetrics: shareMetrics(supervision.slot, config.workers),
      isPortShared: true,
    }),
  })
  const stop = stopGracefully(
    () => service.close(),
    () => process.exit(1),
  )
  // A parent process holds the other end of the channel. When it dies for any reason, this process stops.
  process.once('disconnect', () => stop('disconnect'))
  process.channel?.unref()
  const address = await service.listen()
  freeStartMemory()
  const hasModels = hasUpstream(service.app)
  if (supervision) report({ ready: { address, hasModels } })
  else {
    announce(config, address, hasModels)
    process.send?.({ address })
  }
}

/** Runs the service in several processes, and the embedded database in this one. */
async function superviseAll(): Promise<void> {
  const ends: (() => unknown)[] = []
  if (process.platform !== 'linux')
    throw new ConfigError(['SERVICE_WORKERS above 1 needs Linux, where processes can share a port.'])
  await requirePort(config)
  if (config.databaseUrl === null) openDataDir(config.dataDir)
  const url = config.databaseUrl === null ? await startDatabase(config, log, ends) : null
  const [, program = ''] = process.argv
  const supervisor = supervise({ count: config.workers, program, embeddedUrl: url, log })
  const close = async () => {
    await supervisor.stop()
    for (const end of ends.reverse()) await end()
  }
  const stop = stopGracefully(close, () => {
    supervisor.kill()
    process.exit(1)
  })
  process.once('disconnect', () => stop('disconnect'))
  process.channel?.unref()
  try {
    const { address, hasModels } = await supervisor.ready
    announce(config, address, hasModels)
    process.send?.({ address })
  } catch (error) {
    await close()
    if (!(error instanceof StartFailed)) throw error
    // The process has printed the reason.
    process.exit(error.exitCode)
  }
}

/** Closes the service when the process is asked to stop. Returns a function that does the same. */
function stopGracefully(close: () => Promise<void>, force: () => void): (reason: string) => void {
  const grace = closeWithGrace({ delay: DRAIN_MS, skip: [...STOP_SIGNALS] }, async ({ err }) => {
    if (err) log.fatal({ err }, 'process.error.uncaught')
    await close()
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
      force()
    },
  })
  return stop
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

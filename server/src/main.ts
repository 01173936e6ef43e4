// Starts the service: configuration, parts, address; stops it gently when asked to.
import { readFileSync } from 'node:fs'
import closeWithGrace from 'close-with-grace'
import { hasUpstream } from './metering/metering.ts'
import { type Config, readConfig } from './platform/config.ts'
import { ConfigProblems } from './platform/environment.ts'
import { createLog, type LogLevel } from './platform/log/log.ts'
import { takeSecretFiles } from './platform/secret-files.ts'
import { startService } from './service.ts'

const DRAIN_MS = 25_000

const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
  version: string
}

let config: Config
try {
  takeSecretFiles(process.env)
  config = readConfig(process.env, version)
} catch (error) {
  if (!(error instanceof ConfigProblems)) throw error
  process.stderr.write(`${error.message}\n`)
  process.exit(78)
}

const log = createLog({
  level: config.logLevel as LogLevel,
  pretty: config.environment === 'development' && process.stdout.isTTY === true,
})
for (const warning of config.warnings) log.warn({}, warning)

try {
  const service = await startService({ config, variables: process.env, log })
  const grace = closeWithGrace({ delay: DRAIN_MS }, async ({ err, signal }) => {
    if (err) log.fatal({ err }, 'stopping after an error nobody expected')
    else log.info({ signal }, 'stopping')
    await service.close()
    log.flush()
  })
  // Started by a parent that holds the other end: when it dies, however, so do we.
  process.once('disconnect', () => grace.close())
  process.channel?.unref()
  const address = await service.listen()
  announce(config, address, hasUpstream(service.app))
  process.send?.({ address })
} catch (error) {
  process.stderr.write(`Cowrie could not start: ${error instanceof Error ? error.message : error}\n`)
  log.flush()
  process.exit(1)
}

function developmentSignIn(isOn: boolean): string {
  return `  Development sign-in: ${isOn ? 'on (POST /auth/dev-login)' : 'off (SERVICE_DEV_AUTH=on turns it on)'}`
}

/** What a person wants to know first: where it is, and what is not real here. */
function announce(
  { databaseUrl, smtpUrl, search, rails, environment, devAuth, dataDir }: Config,
  address: string,
  hasModels: boolean,
): void {
  const stands: string[] = []
  if (!hasModels) stands.push('models (a stand-in answers; set SERVICE_UPSTREAM_BASE_URL)')
  if (Object.keys(rails).length === 0) stands.push('payments (no rail has a key)')
  if (!smtpUrl) stands.push('mail (kept in the outbox: GET /dev/outbox)')
  if (!search) stands.push('web search (none configured)')
  const lines = [
    '',
    `  Cowrie ${version} (${environment}) is ready at ${address}`,
    `  App /app   Reference /docs   Health /health`,
    `  Database: ${databaseUrl ? 'the server of DATABASE_URL' : `embedded, in ${dataDir}`}`,
    ...(environment === 'production' ? [] : [`  Mock or missing: ${stands.join('; ') || 'nothing'}`]),
    ...(environment === 'production' ? [] : [developmentSignIn(devAuth)]),
    '',
  ]
  process.stdout.write(`${lines.join('\n')}\n`)
}

// Assembles the service: starts every part in order, and stops them in reverse.
import { accessSync, constants, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { gate, languageByEmail } from './identity/identity.ts'
import { einvoiceProblems } from './invoices/invoices.ts'
import { type Clock, DisciplinedClock } from './kernel/clock.ts'
import { toJson } from './kernel/json.ts'
import { once } from './kernel/once.ts'
import { modules as productModules } from './modules.ts'
import { chargeability } from './orgs/orgs.ts'
import { railProblems } from './payments/payments.ts'
import type { App } from './platform/app.ts'
import { API_VERSION, type Config } from './platform/config.ts'
import { createDedicatedDatabases } from './platform/content/dedicated/dedicated-databases.ts'
import { openContent } from './platform/content/open-content.ts'
import { syncClock } from './platform/db/clock-sync.ts'
import { startEmbedded } from './platform/db/embedded/embedded.ts'
import { codeOf } from './platform/db/errors.ts'
import { type MigrationResult, migrate } from './platform/db/migrations/migrate.ts'
import { type DbTimeouts, openDb } from './platform/db/open-db.ts'
import { ConfigError, type Variables } from './platform/environment/environment.ts'
import { readOrCreateSecret } from './platform/environment/local-secret.ts'
import { housekeeping, retainedReplies } from './platform/housekeeping.ts'
import { createEngine, type Engine } from './platform/http/engine.ts'
import { startLeaseRenewal } from './platform/http/idempotency/idempotency.ts'
import { mountDocs } from './platform/http/openapi/docs/docs.ts'
import { printOpenApi } from './platform/http/openapi/openapi.ts'
import { createKeyRates, type KeyRates } from './platform/http/rate/key-rates.ts'
import { createRateLimiter, RATE_DEFAULTS, type RateLimiter } from './platform/http/rate/rate.ts'
import { createPostgresStore } from './platform/http/rate/stores/postgres.ts'
import { pageHeaders } from './platform/http/reply/headers.ts'
import { mountSite, readSite } from './platform/http/static/static.ts'
import { countTokens, type Target } from './platform/inference/inference.ts'
import { jobFigures } from './platform/jobs/figures.ts'
import { createJobs, type JobKind } from './platform/jobs/jobs.ts'
import { createFigures } from './platform/log/figures.ts'
import type { Log } from './platform/log/log.ts'
import { createMetrics } from './platform/log/metrics.ts'
import { errorType, traceOf, withTrace } from './platform/log/trace-context.ts'
import { createTracer, type Tracer } from './platform/log/tracing.ts'
import { createMail, mailFigures, mailJobs } from './platform/mail/mail.ts'
import type { Module } from './platform/module.ts'
import { requireFreePort } from './platform/processes/supervise.ts'
import type { PrintMetrics } from './platform/processes/supervised.ts'
import { retentionFigures } from './platform/retention.ts'
import { createSecrets } from './platform/secrets.ts'
import { collectGroups } from './platform/settings/catalogue.ts'
import {
  runsLeaseSeconds,
  runsReapGraceSeconds,
  runsWorkerEnabled,
} from './platform/settings/platform-settings.ts'
import { openSettings } from './platform/settings/settings.ts'
import { openStorage } from './platform/storage/open-storage.ts'
import { authenticateToken } from './scim/scim.ts'
import { system } from './system.ts'

export type ServiceOptions = {
  config: Config
  variables: Variables
  log: Log
  /** Further modules, for tests and benchmarks. */
  extra?: readonly Module[]
  /** A clock for tests. Default: a clock that follows the database. */
  clock?: Clock
  background?: boolean
  /** Whether a schedule fires, by its name. Default: all do. */
  isScheduled?: (name: string) => boolean
  /** Timeouts that differ from the defaults. */
  timeouts?: ServiceTimeouts
  /** The embedded database, if another process runs it. */
  embeddedUrl?: string | null
  /** Other processes listen on the same port. */
  isPortShared?: boolean
  /** Prints the metrics of several processes. Default: those of this one. */
  shareMetrics?: (own: PrintMetrics) => PrintMetrics
  /** The result of a migration that the caller has run. Default: the service migrates its database. */
  migrated?: MigrationResult
}

export type ServiceTimeouts = DbTimeouts & { readonly rateStoreTimeoutMs?: number }

export type Service = {
  readonly app: App
  readonly engine: Engine
  /** Returns the address it listens on. */
  listen(): Promise<string>
  close(): Promise<void>
}

const webFiles = once(() => readSite(fileURLToPath(new URL('../../web/dist', import.meta.url))))

/** Settings of a development deployment that has not set them: a new account can run its first task at once. */
const DEVELOPMENT_SEEDS = { SERVICE_TRIAL_CREDIT_MINOR: '50000' }

export async function startService({
  config,
  variables,
  log,
  extra = [],
  clock: givenClock,
  background = true,
  isScheduled = () => true,
  timeouts: { rateStoreTimeoutMs, ...dbTimeouts } = {},
  embeddedUrl = null,
  isPortShared = false,
  shareMetrics = (own) => own,
  migrated,
}: ServiceOptions): Promise<Service> {
  // A provider with only some of its keys would accept payments that it cannot confirm.
  const problems = [...railProblems(config.rails), ...einvoiceProblems(config.einvoicing)]
  if (problems.length > 0) throw new ConfigError(problems)

  // Called in reverse. Each runs even if an earlier one failed.
  const ends: (() => unknown)[] = []
  const end = async () => {
    for (const stop of ends.splice(0).reverse()) {
      try {
        await stop()
      } catch (error) {
        log.error({ err: error }, 'process.stop.part_failed')
      }
    }
  }
  try {
    openDataDir(config.dataDir)
    const url = config.databaseUrl ?? embeddedUrl ?? (await startDatabase(config, log, ends))
    const { applied, role, isDistributed = false } = migrated ?? (await migrate(url))
    if (applied.length > 0) log.info({ migrations: applied.length }, 'database.migrations.applied')

    const clock = givenClock ?? new DisciplinedClock()
    const own = createMetrics()
    const metrics = { ...own, exposition: shareMetrics(own.exposition) }
    const tracing = createTracer({
      endpoint: config.otlpEndpoint ?? undefined,
      serviceName: 'cowrie',
      serviceVersion: config.version,
      sampleRatio: config.traceSampleRatio,
      onFailure: (error, spans) => log.warn({ err: error, spans }, 'tracing.export.failed'),
    })
    ends.push(() => tracing.close())
    metrics.watch('spans_dropped', () => tracing.dropped())
    const dedicated = createDedicatedDatabases({ url, dedicatedUrl: config.dedicatedDatabaseUrl, clock, log })
    const db = openDb(url, {
      ...dbTimeouts,
      clock,
      role,
      isDistributed,
      max: config.databasePool,
      onWarning: log.warn,
      onWait: metrics.poolWaited,
      dedicated,
    })
    ends.push(() => db.close())
    await db.watchPlacements()
    metrics.watch('pool_in_use', () => db.usage().inUse)
    metrics.watch('pool_waiting', () => db.usage().waiting)
    if (clock instanceof DisciplinedClock) ends.push(await syncClock(db, clock, log.warn))
    ends.push(startLeaseRenewal(db, clock, log))

    let document: string | undefined
    // Printed on the first request, because printing would delay the start.
    const print = () => (document ??= toJson(documentOf(modules, config.version)))
    const modules: Module[] = [system(print), ...productModules, ...extra]
    const secrets = createSecrets(
      config.secret ?? readOrCreateSecret(config.dataDir),
      config.previousSecret === null ? [] : [config.previousSecret],
    )
    const seeds = config.environment === 'development' ? { ...DEVELOPMENT_SEEDS, ...variables } : variables
    const settings = await openSettings(db, secrets, clock, collectGroups(modules), seeds, log)
    ends.push(() => settings.close())
    const developmentModel = config.environment === 'production' ? null : await openDevelopmentModel(ends)
    const storage = openStorage(config.storageUrl, config.dataDir)
    const mail = createMail(config, secrets, languageByEmail)
    ends.push(() => mail.close())

    const { limiter, keyRates } = await openLimiters(config, db, clock, log, rateStoreTimeoutMs)
    ends.push(() => limiter.close())
    ends.push(() => keyRates.close())
    const tidy = housekeeping(() => limiter)
    const kinds = [...mailJobs, ...tidy.jobs, ...modules.flatMap((module) => module.jobs ?? [])]
    const schedules = [...tidy.schedules, ...modules.flatMap((module) => module.schedules ?? [])].filter(
      ({ name }) => isScheduled(name),
    )
    const jobs = createJobs(
      () => app,
      kinds.map((kind) => traced(kind, tracing)),
      schedules,
      {
        leaseSeconds: () => settings.get(runsLeaseSeconds),
        graceSeconds: () => settings.get(runsReapGraceSeconds),
        slowEnabled: () => settings.get(runsWorkerEnabled),
        observe: ({ name, outcome, seconds }) => metrics.job(name, outcome, seconds),
      },
    )
    metrics.watch('jobs_running', () => jobs.running)
    const figures = createFigures({ db, clock, log }, [
      jobFigures(namesOf(kinds), namesOf(schedules)),
      mailFigures,
      retentionFigures([...retainedReplies, ...modules.flatMap(({ retained }) => retained ?? [])], settings),
      ...modules.flatMap((module) => module.figures ?? []),
    ])
    metrics.watchFigures(figures.exposition)
    const paymentHandlers = Object.assign(
      {},
      ...modules.map((module) => module.paymentHandlers),
    ) as App['paymentHandlers']
    const approvalHandlers = Object.assign(
      {},
      ...modules.map((module) => module.approvalHandlers),
    ) as App['approvalHandlers']
    const owned = modules.flatMap((module) => module.tenantData ?? [])
    const content = openContent({ url, db, dedicated, clock, log })
    ends.push(() => content.close())
    const parts = {
      config,
      clock,
      log,
      metrics,
      tracing,
      secrets,
      db,
      settings,
      jobs,
      mail,
      storage,
      content,
      developmentModel,
    }
    const app: App = {
      ...parts,
      approvalHandlers,
      paymentHandlers,
      verificationHandlers: modules.flatMap(({ verificationHandler }) => verificationHandler ?? []),
      tenantData: owned,
      sealed: modules.flatMap(({ sealed }) => sealed ?? []),
      storedObjects: modules.flatMap(({ storedObjects }) => storedObjects ?? []),
      chains: modules.flatMap(({ chains }) => chains ?? []),
      keyRates,
      callInternal: (call) => engine.call(call),
    }
    for (const module of modules) if (module.start) ends.push(await module.start(app))

    const routes = modules.flatMap((module) => module.routes ?? [])
    const engine = createEngine(app, routes, { ...gate, chargeability, authenticateToken }, limiter)
    mountDocs(engine.http, print, app.config.baseUrl)
    mountSite(engine.http, {
      prefix: '/app',
      files: webFiles(),
      page: 'index.html',
      fallback: true,
      // The service worker is served below the path that it controls.
      headers: { ...pageHeaders(), 'service-worker-allowed': '/app' },
    })
    ends.push(() => engine.close())
    if (background) jobs.start()
    ends.push(async () => {
      engine.startDraining()
      await Promise.all([jobs.stop(), pause(config.drainSeconds * 1_000)])
    })

    return {
      app,
      engine,
      listen: () =>
        listen(engine, config, isPortShared).catch(async (error) => {
          await end()
          throw error
        }),
      close: end,
    }
  } catch (error) {
    await end()
    throw error
  }
}

export function openDataDir(dataDir: string): void {
  try {
    mkdirSync(dataDir, { recursive: true })
    accessSync(dataDir, constants.W_OK | constants.X_OK)
  } catch (error) {
    throw new Error(
      `The data folder ${dataDir} cannot be written (${codeOf(error)}). Give it to the user that runs the service, or set SERVICE_DATA_DIR to another folder.`,
      { cause: error },
    )
  }
}

function listen({ http }: Engine, { port, host }: Config, reusePort: boolean): Promise<string> {
  return withRemedy(http.listen({ port, host, ...(reusePort && { reusePort }) }), port, host)
}

/** Processes that share a port do not notice another service on it. */
export const requirePort = ({ port, host }: Config): Promise<void> =>
  withRemedy(requireFreePort(port, host), port, host)

async function withRemedy<T>(listening: Promise<T>, port: number, host: string): Promise<T> {
  try {
    return await listening
  } catch (error) {
    const remedy = LISTEN_REMEDIES[codeOf(error)]
    throw remedy ? new Error(remedy(port, host), { cause: error }) : error
  }
}

const LISTEN_REMEDIES: Readonly<Record<string, (port: number, host: string) => string>> = {
  EADDRINUSE: (port) =>
    `Port ${port} is in use by another process. Stop that process, or choose another port: PORT=${port + 1}`,
  EACCES: (port) => `Port ${port} is reserved for privileged users. Choose a port above 1023: PORT=8080`,
  EADDRNOTAVAIL: (_, host) =>
    `${host} is not an address of this machine. Set HOST to one of its addresses, or to 0.0.0.0 for all of them.`,
  ENOTFOUND: (_, host) =>
    `The name ${host} cannot be resolved. Set HOST to an address of this machine, or to 0.0.0.0 for all of them.`,
}

/** The printed OpenAPI document of these modules. */
export function documentOf(modules: readonly Module[], version: string) {
  const tags = modules
    .map(({ name, routes = [] }) => ({ name, routes }))
    .filter(({ routes }) => routes.length > 0)
  return printOpenApi(tags, { version, apiVersion: API_VERSION })
}

const namesOf = (all: readonly { name: string }[]): string[] => all.map(({ name }) => name)

/** Records a span for every attempt of a job, in the trace of the work that enqueued it. */
function traced(kind: JobKind, tracing: Tracer): JobKind {
  return {
    ...kind,
    run(app, work) {
      const parent = work.traceparent ?? undefined
      const span = tracing.span(`process ${kind.name}`, 'consumer', parent)
      span.set({
        'messaging.system': 'cowrie.jobs',
        'messaging.operation.type': 'process',
        'messaging.destination.name': kind.name,
        'messaging.message.id': work.id,
        'cowrie.job.attempt': work.attempt,
      })
      return withTrace(traceOf(span, parent), async () => {
        try {
          await kind.run(app, work)
          span.end()
        } catch (error) {
          span.set({ 'error.type': errorType(error) })
          span.end('error')
          throw error
        }
      })
    },
  }
}

/** Starts the embedded database, and returns its URL. */
export async function startDatabase(config: Config, log: Log, ends: (() => unknown)[]): Promise<string> {
  const server = await startEmbedded({
    dir: join(config.dataDir, 'postgres'),
    log: (line) => log.info({ line }, 'database.embedded.output'),
    onDown: (reason, retryMs) => log.error({ reason, retryMs }, 'database.embedded.restart_failed'),
  })
  ends.push(() => server.stop())
  return server.url
}

/** Loaded only outside production. */
async function openDevelopmentModel(ends: (() => unknown)[]): Promise<Target> {
  const { startModelServer } = await import('../../dev/model/server.ts')
  const model = await startModelServer(countTokens)
  ends.push(() => model.close())
  return { baseUrl: model.baseUrl, apiKey: '' }
}

async function openLimiters(
  config: Config,
  db: App['db'],
  clock: Clock,
  log: Log,
  storeTimeoutMs?: number,
): Promise<{ limiter: RateLimiter; keyRates: KeyRates }> {
  const store = config.redisUrl
    ? (await import('./platform/http/rate/stores/redis.ts')).createRedisStore(config.redisUrl, clock)
    : createPostgresStore(db, clock)
  const onStoreFailure = (error: unknown) => log.warn({ err: error }, 'rate_limit.store.unavailable')
  const patience = storeTimeoutMs === undefined ? {} : { storeTimeoutMs }
  const options = { onStoreFailure, ...patience }
  return {
    limiter: createRateLimiter(store, config.rateLimits, clock, options),
    keyRates: createKeyRates(store, clock, { ...RATE_DEFAULTS, ...options }),
  }
}

// The deployment's configuration: every environment variable, parsed and checked once. What can be tuned while
// the service runs is a setting, not a variable.
import { resolve } from 'node:path'
import { withDatabase } from './db/address.ts'
import { ConfigProblems, Reader, type Variables } from './environment.ts'
import { parseRanges, parseTrustProxy, type Ranges, type TrustProxy } from './http/client-address.ts'
import type { BucketName, Limit } from './http/rate/rate.ts'

export type Environment = 'development' | 'test' | 'production'
export type SearchProvider = {
  provider: 'searxng' | 'tavily' | 'brave' | 'serper'
  baseUrl: string | null
  apiKey: string | null
}

export type Config = {
  readonly environment: Environment
  readonly port: number
  readonly host: string
  readonly dataDir: string
  /** Null: the embedded server in the data folder. */
  readonly databaseUrl: string | null
  readonly databasePool: number
  readonly dedicatedDatabaseUrl: string | null
  readonly redisUrl: string | null
  /** How long it goes on serving after it was told to stop, so that balancers hear of it first. */
  readonly drainSeconds: number
  readonly baseUrl: string
  /** Null outside production: generated into the data folder. */
  readonly secret: string | null
  /** Still opens what it sealed; nothing is sealed with it any more. */
  readonly previousSecret: string | null
  readonly devAuth: boolean
  readonly rootAdminEmail: string | null
  /** Who is told that somebody asked us to write; null for nobody. */
  readonly leadsEmail: string | null
  readonly internalSecret: string | null
  readonly metricsToken: string | null
  readonly trustProxy: TrustProxy
  readonly smtpUrl: string | null
  readonly mailFrom: string
  readonly storageUrl: string
  readonly search: SearchProvider | null
  readonly fetchAllow: readonly string[]
  readonly retrieval: 'vector' | 'lexical' | 'off'
  /** The upstream's model for the code index; null: the one that is built in. */
  readonly embeddingsModel: string | null
  readonly rateLimits: Readonly<Record<BucketName, Limit>>
  readonly webhookRanges: Readonly<Record<'card' | 'mpesa' | 'momo', Ranges>>
  readonly webhookTokens: Readonly<Record<'mpesa' | 'momo', string | null>>
  /** How long we wait for a model: for the connection, its first words, the next ones, and all of them. */
  readonly upstreamTimeouts: Readonly<Record<'connectMs' | 'firstByteMs' | 'idleMs' | 'totalMs', number>>
  /** What the models can read and write at once. */
  readonly upstreamContextTokens: number
  readonly pullRequestValidation: boolean
  readonly github: { appId: string; privateKey: string; webhookSecret: string; apiUrl: string } | null
  /** Null: on where the tool is present in development, off in production. */
  readonly sandbox: Readonly<Record<'local' | 'docker', boolean | null>>
  /** Where the engine of the docker sandbox listens, null for its usual socket, and the image that runs. */
  readonly docker: { readonly host: string | null; readonly image: string }
  /** The variables of the payment rails by their own names; each rail reads its own. */
  readonly rails: Readonly<Record<string, string>>
  /** Who sells, as it stands on invoices. */
  readonly seller: { readonly name: string; readonly address: string | null; readonly taxId: string | null }
  readonly dnsServer: string | null
  readonly logLevel: string
  readonly otlpEndpoint: string | null
  readonly version: string
  readonly commit: string
  readonly builtAt: string | null
  /** What was ignored and why, for the log. */
  readonly warnings: readonly string[]
}

export const API_VERSION = 2
const RATE_DEFAULTS: Record<BucketName, string> = {
  auth: '20/60',
  money: '60/60',
  webhook: '600/60',
  global: '1200/60',
}
// Published by the providers; MTN publishes none, so its callbacks rest on the token and on asking back.
const WEBHOOK_IPS = {
  card: '52.31.139.75,52.49.173.169,52.214.14.220',
  mpesa:
    '196.201.214.200,196.201.214.206,196.201.213.114,196.201.214.207,196.201.214.208,196.201.213.44,196.201.212.127,196.201.212.138,196.201.212.129,196.201.212.136,196.201.212.74,196.201.212.69',
  momo: '0.0.0.0/0,::/0',
}
const RAIL_PREFIXES = [
  'PAYSTACK_',
  'FLUTTERWAVE_',
  'DARAJA_',
  'MPESA_',
  'MOMO_',
  'OPAY_',
  'PALMPAY_',
  'OZOW_',
  'FAWRY_',
]

/** Reads the configuration or throws ConfigProblems with all that is wrong. */
export function readConfig(variables: Variables, version: string): Config {
  const read = new Reader(variables)
  const environment =
    read.text('NODE_ENV') === 'production'
      ? 'production'
      : read.oneOf('SERVICE_ENV', ['development', 'test', 'production'], 'development')
  const production = environment === 'production'
  const warnings: string[] = []
  const developmentOnly = (name: string, value: string | null) => {
    if (value !== null && production) warnings.push(`${name} is ignored in production`)
    return production ? null : value
  }

  const port = read.integer('PORT', 8080, 0, 65_535)
  const host = read.text('HOST') ?? (production ? '0.0.0.0' : '127.0.0.1')
  const baseUrl = read.url('SERVICE_BASE_URL', ['http', 'https'])
  const secret = read.secret('SERVICE_SECRET', 32)
  const smtpUrl = read.url('SERVICE_SMTP_URL', ['smtp', 'smtps'])

  if (production) {
    if (secret === null)
      read.problem('SERVICE_SECRET', 'is required in production: at least 32 random bytes.')
    if (baseUrl === null)
      read.problem('SERVICE_BASE_URL', 'is required in production: the public https origin.')
    else if (!baseUrl.startsWith('https:')) read.problem('SERVICE_BASE_URL', 'must be https in production.')
    if (smtpUrl === null)
      read.problem('SERVICE_SMTP_URL', 'is required in production: sign-in depends on mail.')
    if (read.text('SERVICE_MAIL_FROM') === null)
      read.problem('SERVICE_MAIL_FROM', 'is required in production: the sender of our mails.')
  }

  const config: Config = {
    environment,
    port,
    host,
    dataDir: resolve(read.text('SERVICE_DATA_DIR') ?? './.data'),
    databaseUrl: read.url('DATABASE_URL', ['postgres', 'postgresql']),
    databasePool: read.integer('SERVICE_DATABASE_POOL', 16, 2, 500),
    dedicatedDatabaseUrl: readDedicatedUrl(read),
    redisUrl: read.url('REDIS_URL', ['redis', 'rediss']),
    drainSeconds: read.integer('SERVICE_DRAIN_SECONDS', production ? 5 : 0, 0, 15),
    baseUrl: (baseUrl ?? `http://${host.includes(':') ? `[${host}]` : host}:${port}`).replace(/\/+$/, ''),
    secret,
    previousSecret: read.text('SERVICE_SECRET_PREVIOUS'),
    devAuth:
      developmentOnly(
        'SERVICE_DEV_AUTH',
        read.oneOf('SERVICE_DEV_AUTH', ['on', 'off'], 'off') === 'on' ? 'on' : null,
      ) === 'on',
    rootAdminEmail: read.text('SERVICE_ROOT_ADMIN_EMAIL')?.normalize('NFKC').toLowerCase() ?? null,
    leadsEmail: readLeadsEmail(read),
    internalSecret: read.secret('INTERNAL_SECRET', production ? 16 : 1),
    metricsToken: read.secret('METRICS_TOKEN', production ? 16 : 1),
    trustProxy: read.parsed('TRUST_PROXY', parseTrustProxy, parseTrustProxy(undefined)),
    smtpUrl,
    mailFrom: read.text('SERVICE_MAIL_FROM') ?? 'Cowrie <no-reply@localhost>',
    storageUrl: read.url('SERVICE_STORAGE_URL', ['file', 's3']) ?? 'file:',
    search: readSearch(read),
    fetchAllow: developmentOnly('SERVICE_FETCH_ALLOW', read.text('SERVICE_FETCH_ALLOW'))?.split(',') ?? [],
    retrieval: read.oneOf('SERVICE_RETRIEVAL', ['vector', 'lexical', 'off'], 'vector'),
    embeddingsModel: readShort(read, 'SERVICE_EMBEDDINGS_MODEL', 200),
    rateLimits: {
      auth: readLimit(read, 'SERVICE_RATE_LIMIT_AUTH', RATE_DEFAULTS.auth),
      money: readLimit(read, 'SERVICE_RATE_LIMIT_MONEY', RATE_DEFAULTS.money),
      webhook: readLimit(read, 'SERVICE_RATE_LIMIT_WEBHOOK', RATE_DEFAULTS.webhook),
      global: readLimit(read, 'SERVICE_RATE_LIMIT_GLOBAL', RATE_DEFAULTS.global),
    },
    webhookRanges: {
      card: readRanges(read, 'SERVICE_WEBHOOK_IPS_CARD', WEBHOOK_IPS.card),
      mpesa: readRanges(read, 'SERVICE_WEBHOOK_IPS_MPESA', WEBHOOK_IPS.mpesa),
      momo: readRanges(read, 'SERVICE_WEBHOOK_IPS_MOMO', WEBHOOK_IPS.momo),
    },
    webhookTokens: {
      mpesa: read.secret('SERVICE_WEBHOOK_TOKEN_MPESA', production ? 16 : 1),
      momo: read.secret('SERVICE_WEBHOOK_TOKEN_MOMO', production ? 16 : 1),
    },
    upstreamTimeouts: {
      connectMs: read.integer('SERVICE_UPSTREAM_CONNECT_MS', 5_000, 100, 60_000),
      firstByteMs: read.integer('SERVICE_UPSTREAM_FIRST_BYTE_MS', 25_000, 100, 600_000),
      idleMs: read.integer('SERVICE_UPSTREAM_IDLE_MS', 60_000, 100, 600_000),
      totalMs: read.integer('SERVICE_UPSTREAM_TOTAL_MS', 600_000, 1_000, 1_500_000),
    },
    upstreamContextTokens: read.integer('SERVICE_UPSTREAM_CONTEXT_TOKENS', 128_000, 4_096, 10_000_000),
    pullRequestValidation: read.text('SERVICE_ENABLE_PR_VALIDATION') === '1',
    github: readGithub(read),
    sandbox: {
      local: readSwitch(read, 'SERVICE_SANDBOX_LOCAL', production),
      docker: readSwitch(read, 'SERVICE_SANDBOX_DOCKER', production),
    },
    docker: {
      host: read.text('DOCKER_HOST'),
      image: read.text('SERVICE_SANDBOX_DOCKER_IMAGE') ?? 'node:24-slim',
    },
    rails: readRails(read),
    seller: readSeller(read),
    dnsServer: read.text('SERVICE_DNS_SERVER'),
    logLevel: read.oneOf(
      'SERVICE_LOG_LEVEL',
      ['debug', 'info', 'warn', 'error', 'silent'],
      environment === 'test' ? 'error' : 'info',
    ),
    otlpEndpoint: read.url('OTEL_EXPORTER_OTLP_ENDPOINT', ['http', 'https']),
    version,
    commit: read.text('SERVICE_COMMIT') ?? 'unknown',
    builtAt: read.text('SERVICE_BUILT_AT'),
    warnings,
  }
  const { mpesa, momo } = config.webhookTokens
  if (production && mpesa !== null && mpesa === momo)
    read.problem('SERVICE_WEBHOOK_TOKEN_MOMO', 'must not be that of M-Pesa: it says who is posting.')
  if (read.problems.length > 0) throw new ConfigProblems(read.problems)
  return config
}

/** Elsewhere than in the name of the database it would lead two organisations, or all, to one. */
function readDedicatedUrl(read: Reader): string | null {
  const name = 'SERVICE_DEDICATED_DATABASE_URL'
  const url = read.url(name, ['postgres', 'postgresql'])
  if (url !== null && withDatabase(url, '').includes('{org}'))
    read.problem(name, 'must have {org} in the name of the database, or nowhere.')
  return url
}

function readLimit(read: Reader, name: string, fallback: string): Limit {
  const match = /^(\d{1,7})\/(\d{1,5})$/.exec(read.text(name) ?? fallback)
  const limit = { requests: Number(match?.[1]), seconds: Number(match?.[2]) }
  if (limit.requests >= 1 && limit.seconds >= 1) return limit
  read.problem(name, 'must be requests/seconds, both at least 1, for example 1200/60.')
  return { requests: 1, seconds: 1 }
}

function readRanges(read: Reader, name: string, fallback: string): Ranges {
  return read.parsed(name, (text) => parseRanges(text ?? fallback), parseRanges(fallback))
}

/** The root administrator hears of leads where nobody else is named. */
function readLeadsEmail(read: Reader): string | null {
  const isAddress = (text: string) => /^[^\s@<>,;]+@[^\s@<>,;]+$/.test(text)
  const named = read.text('SERVICE_LEADS_EMAIL')
  if (named !== null && !isAddress(named)) read.problem('SERVICE_LEADS_EMAIL', 'must be one mail address.')
  const root = read.text('SERVICE_ROOT_ADMIN_EMAIL')
  return named ?? (root !== null && isAddress(root) ? root : null)
}

function readSwitch(read: Reader, name: string, production: boolean): boolean | null {
  const value = read.oneOf(name, ['on', 'off', 'auto'], 'auto')
  return value === 'auto' ? (production ? false : null) : value === 'on'
}

function readSearch(read: Reader): SearchProvider | null {
  const searxng = readOneUrl(read, 'SERVICE_SEARCH_URL')
  if (searxng !== null) return { provider: 'searxng', baseUrl: searxng, apiKey: null }
  if (read.text('SERVICE_SEARCH_PROVIDER') === null) return null
  const provider = read.oneOf('SERVICE_SEARCH_PROVIDER', ['tavily', 'brave', 'serper'], 'tavily')
  const apiKey = read.text('SERVICE_SEARCH_API_KEY')
  if (apiKey === null) read.problem('SERVICE_SEARCH_API_KEY', 'is required with SERVICE_SEARCH_PROVIDER.')
  else if (!/^[\x21-\x7e]+$/.test(apiKey))
    read.problem('SERVICE_SEARCH_API_KEY', 'has characters that no header can carry.')
  return { provider, baseUrl: readOneUrl(read, 'SERVICE_SEARCH_BASE_URL'), apiKey }
}

/** Databases have lists of hosts, and those parse in their own ways. What is asked over HTTP has one address. */
function readOneUrl(read: Reader, name: string): string | null {
  const url = read.url(name, ['http', 'https'])
  if (url === null || URL.canParse(url)) return url
  read.problem(name, 'must be one URL.')
  return null
}

function readGithub(read: Reader): Config['github'] {
  const appId = read.text('SERVICE_GITHUB_APP_ID')
  if (appId === null) return null
  const privateKey = read.text('SERVICE_GITHUB_PRIVATE_KEY')
  const webhookSecret = read.secret('SERVICE_GITHUB_WEBHOOK_SECRET', 8)
  if (privateKey === null)
    read.problem('SERVICE_GITHUB_PRIVATE_KEY', 'is required with SERVICE_GITHUB_APP_ID.')
  if (webhookSecret === null)
    read.problem('SERVICE_GITHUB_WEBHOOK_SECRET', 'is required with SERVICE_GITHUB_APP_ID.')
  const apiUrl = read.url('SERVICE_GITHUB_API_URL', ['http', 'https']) ?? 'https://api.github.com'
  return { appId, privateKey: privateKey ?? '', webhookSecret: webhookSecret ?? '', apiUrl }
}

function readSeller(read: Reader): Config['seller'] {
  return {
    name: readShort(read, 'SERVICE_SELLER_NAME', 200) ?? 'Cowrie',
    address: readShort(read, 'SERVICE_SELLER_ADDRESS', 500),
    taxId: readShort(read, 'SERVICE_SELLER_TAX_ID', 50),
  }
}

function readShort(read: Reader, name: string, most: number): string | null {
  const value = read.text(name)
  if (value !== null && value.length > most) read.problem(name, `must have at most ${most} characters.`)
  return value
}

function readRails(read: Reader): Record<string, string> {
  const rails = read.withPrefixes(RAIL_PREFIXES)
  for (const name of Object.keys(rails)) if (name.endsWith('_BASE_URL')) read.url(name, ['http', 'https'])
  return rails
}

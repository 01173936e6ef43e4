// The configuration of a deployment: every environment variable, parsed and checked once. Values that can change at run time
// are settings, not variables.
import { isIP } from 'node:net'
import { resolve } from 'node:path'
import { withDatabase } from './db/connection-url.ts'
import { type EInvoicingConfig, readEInvoicing } from './environment/einvoicing.ts'
import { ConfigError, EnvironmentReader, type Variables } from './environment/environment.ts'
import { type ForgeHosts, readForgeHosts } from './environment/forge-hosts.ts'
import { type GithubAppConfig, readGithubApp } from './environment/github-app.ts'
import { type GithubLoginConfig, readGithubLogin } from './environment/github-login.ts'
import { parseRegistries, type Registry } from './environment/registries.ts'
import { readTransparency, type TransparencyConfig } from './environment/transparency.ts'
import { readVapid, type VapidConfig } from './environment/vapid.ts'
import { parseRanges, parseTrustProxy, type Ranges, type TrustProxy } from './http/access/client-address.ts'
import type { BucketName, Limit } from './http/rate/lease-store.ts'

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
  /** Processes of this replica that share the port. */
  readonly workers: number
  readonly dedicatedDatabaseUrl: string | null
  readonly redisUrl: string | null
  /** How long the process serves after a stop signal, so that load balancers can remove it first. */
  readonly drainSeconds: number
  readonly baseUrl: string
  /** May be null outside production, where it is generated in the data folder. */
  readonly secret: string | null
  /** Opens texts that were sealed before the rotation. New texts are sealed with `secret`. */
  readonly previousSecret: string | null
  readonly devAuth: boolean
  /** Staff need a second factor in their session, and money actions one of the last minutes. */
  readonly staffSecondFactor: boolean
  readonly rootAdminEmail: string | null
  /** Receives contact requests of prospective customers; null: they are not mailed. */
  readonly leadsEmail: string | null
  readonly internalSecret: string | null
  readonly metricsToken: string | null
  readonly trustProxy: TrustProxy
  readonly smtpUrl: string | null
  /** The key of push notifications. Null: generated outside production, and no notifications in production. */
  readonly vapid: VapidConfig | null
  readonly transparency: TransparencyConfig
  readonly mailFrom: string
  readonly storageUrl: string
  readonly search: SearchProvider | null
  readonly fetchAllow: readonly string[]
  /** The path of Chromium, which renders pages of research; null: pages are not rendered. */
  readonly chromium: string | null
  readonly retrieval: 'vector' | 'lexical' | 'off'
  /** The upstream model for the code index; null: the built-in model. */
  readonly embeddingsModel: string | null
  readonly rateLimits: Readonly<Record<BucketName, Limit>>
  readonly webhookRanges: Readonly<Record<'card' | 'mpesa' | 'momo', Ranges>>
  readonly webhookTokens: Readonly<Record<'mpesa' | 'momo', string | null>>
  /**
   * Timeouts of a model call: connect, first byte, gap between bytes, total. After `silenceMs` without a first byte, our own
   * stream starts with a keep-alive.
   */
  readonly upstreamTimeouts: Readonly<
    Record<'connectMs' | 'firstByteMs' | 'silenceMs' | 'idleMs' | 'totalMs', number>
  >
  /** The context window of the models. */
  readonly upstreamContextTokens: number
  readonly pullRequestValidation: boolean
  readonly github: GithubAppConfig | null
  readonly forgeHosts: ForgeHosts
  /** Null: sign-in with GitHub is off. */
  readonly githubLogin: GithubLoginConfig | null
  /** Null: on where the tool is present in development, off in production. */
  readonly sandbox: Readonly<Record<'local' | 'docker', boolean | null>>
  /** The address of the Docker engine (null: its default socket) and the image of the sandbox. */
  readonly docker: { readonly host: string | null; readonly image: string }
  /** The only addresses that a sandbox can reach, and only to install dependencies. Null: it installs none. */
  readonly sandboxRegistries: readonly Registry[] | null
  /** A file or folder with advisories about packages, in the OSV format; null: dependencies are not checked. */
  readonly advisories: string | null
  /** The variables of all payment rails by name. Each rail reads its own. */
  readonly rails: Readonly<Record<string, string>>
  /** The seller on invoices. */
  readonly seller: { readonly name: string; readonly address: string | null; readonly taxId: string | null }
  /** The seller's country, and the keys of tax authorities. */
  readonly einvoicing: EInvoicingConfig
  readonly dnsServer: string | null
  readonly logLevel: string
  readonly otlpEndpoint: string | null
  /** The share of new traces that are exported. */
  readonly traceSampleRatio: number
  readonly version: string
  readonly commit: string
  readonly builtAt: string | null
  /** Ignored variables with the reason, for the log. */
  readonly warnings: readonly string[]
}

export const API_VERSION = 2
const REQUESTS_MAX = 1_000_000_000
const WINDOW_SECONDS_MAX = 86_400
const RATE_DEFAULTS = {
  auth: '20/60',
  money: '60/60',
  webhook: '600/60',
  global: '1200/60',
}
// Published by the providers. MTN publishes none: its callbacks are checked by the token and by a status request.
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

/** Variables that production requires. `DATABASE_URL` is required too when no embedded database is installed. */
export const REQUIRED_IN_PRODUCTION: Readonly<Record<string, string>> = {
  SERVICE_SECRET: 'at least 32 random bytes, for example from: openssl rand -base64 48',
  SERVICE_BASE_URL: 'the public https origin',
  SERVICE_SMTP_URL: 'sign-in depends on mail',
  SERVICE_MAIL_FROM: 'the sender of our mails',
}

/** Reads the configuration. Throws a ConfigError that lists all problems. */
export function readConfig(variables: Variables, version: string): Config {
  const read = new EnvironmentReader(variables)
  const config = parseConfig(read, version)
  if (read.problems.length > 0) throw new ConfigError(read.problems)
  return config
}

/** Reads the configuration. The problems are in `read.problems`. */
export function parseConfig(read: EnvironmentReader, version: string): Config {
  const named = read.oneOf('SERVICE_ENV', ['development', 'test', 'production'], 'development')
  const environment = read.text('NODE_ENV') === 'production' ? 'production' : named
  const production = environment === 'production'
  const warnings: string[] = []
  const developmentOnly = (name: string, value: string | null) => {
    if (value !== null && production) warnings.push(`${name} is ignored in production`)
    return production ? null : value
  }

  const port = read.integer('PORT', 8080, 0, 65_535)
  const host = read.text('HOST') ?? (production ? '0.0.0.0' : '127.0.0.1')
  const baseUrl = readOrigin(read, 'SERVICE_BASE_URL')
  const secret = read.secret('SERVICE_SECRET', 32)
  const smtpUrl = read.url('SERVICE_SMTP_URL', ['smtp', 'smtps'])
  const mailFrom = readSender(read, 'SERVICE_MAIL_FROM')
  const rootAdmin = readMailAddress(read, 'SERVICE_ROOT_ADMIN_EMAIL')

  if (production) {
    for (const [name, what] of Object.entries(REQUIRED_IN_PRODUCTION))
      if (read.text(name) === null) read.problem(name, `is required in production: ${what}.`)
    if (baseUrl?.startsWith('http:')) read.problem('SERVICE_BASE_URL', 'must be https in production.')
  }

  const config: Config = {
    environment,
    port,
    host,
    dataDir: resolve(read.text('SERVICE_DATA_DIR') ?? './.data'),
    databaseUrl: read.url('DATABASE_URL', ['postgres', 'postgresql']),
    databasePool: read.integer('SERVICE_DATABASE_POOL', 16, 2, 500),
    workers: read.integer('SERVICE_WORKERS', 1, 1, 64),
    dedicatedDatabaseUrl: readDedicatedUrl(read),
    redisUrl: read.url('REDIS_URL', ['redis', 'rediss']),
    drainSeconds: read.integer('SERVICE_DRAIN_SECONDS', production ? 5 : 0, 0, 15),
    baseUrl: baseUrl ?? `http://${host.includes(':') ? `[${host}]` : host}:${port}`,
    secret,
    previousSecret: read.text('SERVICE_SECRET_PREVIOUS'),
    devAuth:
      developmentOnly(
        'SERVICE_DEV_AUTH',
        read.oneOf('SERVICE_DEV_AUTH', ['on', 'off'], 'off') === 'on' ? 'on' : null,
      ) === 'on',
    staffSecondFactor: readSwitch(read, 'SERVICE_STAFF_SECOND_FACTOR', false) ?? production,
    rootAdminEmail: rootAdmin?.normalize('NFKC').toLowerCase() ?? null,
    // The root administrator receives leads unless another address is set.
    leadsEmail: readMailAddress(read, 'SERVICE_LEADS_EMAIL') ?? rootAdmin,
    internalSecret: read.secret('INTERNAL_SECRET', production ? 16 : 1),
    metricsToken: read.secret('METRICS_TOKEN', production ? 16 : 1),
    trustProxy: read.parsed('TRUST_PROXY', parseTrustProxy, parseTrustProxy(undefined)),
    smtpUrl,
    vapid: readVapid(read),
    transparency: readTransparency(read),
    mailFrom: mailFrom ?? 'Cowrie <no-reply@localhost>',
    storageUrl: read.url('SERVICE_STORAGE_URL', ['file', 's3']) ?? 'file:',
    search: readSearch(read),
    fetchAllow: developmentOnly('SERVICE_FETCH_ALLOW', read.text('SERVICE_FETCH_ALLOW'))?.split(',') ?? [],
    chromium: readShort(read, 'SERVICE_CHROMIUM', 500),
    retrieval: read.oneOf('SERVICE_RETRIEVAL', ['vector', 'lexical', 'off'], 'vector'),
    embeddingsModel: readShort(read, 'SERVICE_EMBEDDINGS_MODEL', 200),
    rateLimits: {
      auth: readLimit(read, 'SERVICE_RATE_LIMIT_AUTH', RATE_DEFAULTS.auth),
      money: readLimit(read, 'SERVICE_RATE_LIMIT_MONEY', RATE_DEFAULTS.money),
      webhook: readLimit(read, 'SERVICE_RATE_LIMIT_WEBHOOK', RATE_DEFAULTS.webhook),
      global: readLimit(read, 'SERVICE_RATE_LIMIT_GLOBAL', RATE_DEFAULTS.global),
      // Not configurable: no client needs more, and each reply is a copy that is already compressed.
      document: { requests: 300, seconds: 60 },
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
      // Reasoning models can be silent for minutes before the first token, and sometimes between tokens.
      firstByteMs: read.integer('SERVICE_UPSTREAM_FIRST_BYTE_MS', 300_000, 100, 600_000),
      silenceMs: read.integer('SERVICE_UPSTREAM_SILENCE_MS', 10_000, 100, 10_000),
      idleMs: read.integer('SERVICE_UPSTREAM_IDLE_MS', 120_000, 100, 600_000),
      totalMs: read.integer('SERVICE_UPSTREAM_TOTAL_MS', 600_000, 1_000, 1_500_000),
    },
    upstreamContextTokens: read.integer('SERVICE_UPSTREAM_CONTEXT_TOKENS', 128_000, 4_096, 10_000_000),
    pullRequestValidation: read.text('SERVICE_ENABLE_PR_VALIDATION') === '1',
    github: readGithubApp(read),
    forgeHosts: readForgeHosts(read),
    githubLogin: readGithubLogin(read),
    sandbox: {
      local: readSwitch(read, 'SERVICE_SANDBOX_LOCAL', production),
      docker: readSwitch(read, 'SERVICE_SANDBOX_DOCKER', production),
    },
    docker: {
      host: read.text('DOCKER_HOST'),
      image: read.text('SERVICE_SANDBOX_DOCKER_IMAGE') ?? 'node:24-slim',
    },
    sandboxRegistries: read.parsed('SERVICE_SANDBOX_REGISTRIES', parseRegistries, null),
    advisories: readPath(read, 'SERVICE_ADVISORIES'),
    rails: readRails(read),
    seller: readSeller(read),
    einvoicing: readEInvoicing(read),
    dnsServer: readDnsServer(read, 'SERVICE_DNS_SERVER'),
    logLevel: read.oneOf(
      'SERVICE_LOG_LEVEL',
      ['debug', 'info', 'warn', 'error', 'silent'],
      environment === 'test' ? 'error' : 'info',
    ),
    otlpEndpoint: read.url('OTEL_EXPORTER_OTLP_ENDPOINT', ['http', 'https']),
    traceSampleRatio: read.ratio('OTEL_TRACES_SAMPLER_ARG', 1),
    version,
    commit: read.text('SERVICE_COMMIT') ?? 'unknown',
    builtAt: read.text('SERVICE_BUILT_AT'),
    warnings,
  }
  const { mpesa, momo } = config.webhookTokens
  if (production && mpesa !== null && mpesa === momo)
    read.problem(
      'SERVICE_WEBHOOK_TOKEN_MOMO',
      'must differ from SERVICE_WEBHOOK_TOKEN_MPESA: the token identifies the sender.',
    )
  return config
}

/** `{org}` anywhere else than in the database name would give several organisations the same database. */
const readPath = (read: EnvironmentReader, name: string): string | null => {
  const path = read.text(name)
  return path === null ? null : resolve(path)
}

function readDedicatedUrl(read: EnvironmentReader): string | null {
  const name = 'SERVICE_DEDICATED_DATABASE_URL'
  const url = read.url(name, ['postgres', 'postgresql'])
  if (url !== null && withDatabase(url, '').includes('{org}'))
    read.problem(name, 'may have {org} only in the name of the database.')
  return url
}

function readLimit(read: EnvironmentReader, name: string, fallback: string): Limit {
  const match = /^(\d{1,15})\/(\d{1,15})$/.exec(read.text(name) ?? fallback)
  const limit = { requests: Number(match?.[1]), seconds: Number(match?.[2]) }
  if (!match) read.problem(name, 'must be requests/seconds, for example 1200/60.')
  else if (!isFrom(1, REQUESTS_MAX, limit.requests))
    read.problem(name, `must allow from 1 to ${REQUESTS_MAX} requests, for example 1200/60.`)
  else if (!isFrom(1, WINDOW_SECONDS_MAX, limit.seconds))
    read.problem(name, `must count over 1 to ${WINDOW_SECONDS_MAX} seconds, for example 1200/60.`)
  else return limit
  return { requests: 1, seconds: 1 }
}

const isFrom = (min: number, max: number, value: number): boolean => value >= min && value <= max

function readRanges(read: EnvironmentReader, name: string, fallback: string): Ranges {
  return read.parsed(name, (text) => parseRanges(text ?? fallback), parseRanges(fallback))
}

/** An origin only: links append paths to it, and a password in it would become public. */
function readOrigin(read: EnvironmentReader, name: string): string | null {
  const value = readOneUrl(read, name)
  if (value === null) return null
  const { username, password, pathname, search, hash } = new URL(value)
  if (username || password) read.problem(name, 'must not have a user name or a password.')
  else if (pathname !== '/' || search || hash || value.includes(','))
    read.problem(name, 'must be one origin without path, query or fragment, such as https://cowrie.example.')
  return value.replace(/\/+$/, '')
}

const isMailAddress = (text: string): boolean =>
  /^[^\s@<>,;"()]+@[^\s@<>,;"().]+(\.[^\s@<>,;"().]+)*$/.test(text)

function readMailAddress(read: EnvironmentReader, name: string): string | null {
  const value = read.text(name)
  if (value === null || isMailAddress(value)) return value
  read.problem(name, 'must be one mail address, such as ada@cowrie.example.')
  return null
}

/** `Name <address>` or an address alone. */
function readSender(read: EnvironmentReader, name: string): string | null {
  const value = read.text(name)
  const address = value === null ? null : (/^[^<>\r\n]*<([^<>]*)>$/.exec(value)?.[1] ?? value)
  if (address !== null && !isMailAddress(address))
    read.problem(name, 'must be a sender such as Cowrie <no-reply@cowrie.example>.')
  return value
}

/** An IP address: the resolver cannot use a host name. */
function readDnsServer(read: EnvironmentReader, name: string): string | null {
  const value = read.text(name)
  if (value === null) return null
  const [, host = value, port] =
    /^\[([^\]]*)\](?::(\d+))?$/.exec(value) ?? /^([^:]*):(\d+)$/.exec(value) ?? []
  if (isIP(host) !== 0 && (port === undefined || isFrom(1, 65_535, Number(port)))) return value
  read.problem(
    name,
    'must be an IP address, with a port if it is not 53, such as 9.9.9.9 or [2620:fe::fe]:53.',
  )
  return null
}

function readSwitch(read: EnvironmentReader, name: string, production: boolean): boolean | null {
  const value = read.oneOf(name, ['on', 'off', 'auto'], 'auto')
  return value === 'auto' ? (production ? false : null) : value === 'on'
}

function readSearch(read: EnvironmentReader): SearchProvider | null {
  const searxng = readOneUrl(read, 'SERVICE_SEARCH_URL')
  const named = read.text('SERVICE_SEARCH_PROVIDER')
  const apiKey = read.text('SERVICE_SEARCH_API_KEY')
  const baseUrl = readOneUrl(read, 'SERVICE_SEARCH_BASE_URL')
  if (searxng !== null) return { provider: 'searxng', baseUrl: searxng, apiKey: null }
  if (named === null) return null
  const provider = read.oneOf('SERVICE_SEARCH_PROVIDER', ['tavily', 'brave', 'serper'], 'tavily')
  if (apiKey === null) read.problem('SERVICE_SEARCH_API_KEY', 'is required with SERVICE_SEARCH_PROVIDER.')
  else if (!/^[\x21-\x7e]+$/.test(apiKey))
    read.problem('SERVICE_SEARCH_API_KEY', 'has characters that are not allowed in an HTTP header.')
  return { provider, baseUrl, apiKey }
}

/** `url` also accepts the host lists of database URLs. An HTTP service has exactly one URL. */
function readOneUrl(read: EnvironmentReader, name: string): string | null {
  const url = read.url(name, ['http', 'https'])
  if (url === null || URL.canParse(url)) return url
  read.problem(name, 'must be one URL.')
  return null
}

function readSeller(read: EnvironmentReader): Config['seller'] {
  return {
    name: readShort(read, 'SERVICE_SELLER_NAME', 200) ?? 'Cowrie',
    address: readShort(read, 'SERVICE_SELLER_ADDRESS', 500),
    taxId: readShort(read, 'SERVICE_SELLER_TAX_ID', 50),
  }
}

function readShort(read: EnvironmentReader, name: string, maxLength: number): string | null {
  const value = read.text(name)
  if (value !== null && value.length > maxLength)
    read.problem(name, `must have at most ${maxLength} characters.`)
  return value
}

function readRails(read: EnvironmentReader): Record<string, string> {
  const rails = read.withPrefixes(RAIL_PREFIXES)
  for (const name of Object.keys(rails)) if (name.endsWith('_BASE_URL')) read.url(name, ['http', 'https'])
  return rails
}

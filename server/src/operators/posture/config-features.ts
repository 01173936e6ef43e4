// The features that a variable alone switches on.
import type { Config } from '../../platform/config.ts'
import type { Feature } from './posture.ts'

/** What the service stands on. */
export const foundationFeatures = (config: Config): Feature[] => [
  {
    key: 'database',
    label: 'Database',
    env: 'DATABASE_URL',
    live: true,
    detail:
      config.databaseUrl === null
        ? 'Embedded in the data folder: for one replica.'
        : 'A PostgreSQL server of its own.',
  },
  {
    key: 'dedicated_databases',
    label: 'Databases for single organisations',
    env: 'SERVICE_DEDICATED_DATABASE_URL',
    live: config.dedicatedDatabaseUrl !== null,
    detail: whenSet(
      config.dedicatedDatabaseUrl,
      'Set: content can be moved to a database elsewhere.',
      'Not set: such databases are created beside the shared one, where its role may.',
    ),
  },
  {
    key: 'redis',
    label: 'Shared rate limits in Redis',
    env: 'REDIS_URL',
    live: config.redisUrl !== null,
    detail: whenSet(config.redisUrl, 'Set.', 'Not set: requests are counted in the database.'),
  },
  {
    key: 'mail',
    label: 'Mail',
    env: 'SERVICE_SMTP_URL, SERVICE_MAIL_FROM',
    live: config.smtpUrl !== null,
    detail: whenSet(config.smtpUrl, 'Set.', 'Not set: mails stay in the development outbox.'),
  },
  {
    key: 'storage',
    label: 'Storage of files',
    env: 'SERVICE_STORAGE_URL',
    live: true,
    detail: config.storageUrl.startsWith('s3:') ? 'An S3 bucket.' : 'A folder, for one replica.',
  },
  {
    key: 'base_url',
    label: 'Public address',
    env: 'SERVICE_BASE_URL',
    live: config.baseUrl.startsWith('https:'),
    detail: config.baseUrl.startsWith('https:')
      ? 'Over https: cookies are only sent encrypted.'
      : 'Not over https: for development.',
  },
  {
    key: 'tracing',
    label: 'Traces',
    env: 'OTEL_EXPORTER_OTLP_ENDPOINT',
    live: config.otlpEndpoint !== null,
    detail: whenSet(config.otlpEndpoint, 'Set: traces are exported.', 'Not set: no traces are exported.'),
  },
]

/** What customers come for. */
export const workFeatures = (config: Config): Feature[] => [
  {
    key: 'search',
    label: 'Web search',
    env: 'SERVICE_SEARCH_URL, SERVICE_SEARCH_PROVIDER, SERVICE_SEARCH_API_KEY, SERVICE_SEARCH_BASE_URL',
    live: config.search !== null,
    detail: config.search === null ? 'Not set.' : `Set, by ${config.search.provider}.`,
  },
  {
    key: 'fetch_allow',
    label: 'Pages at addresses that are not public',
    env: 'SERVICE_FETCH_ALLOW',
    live: config.fetchAllow.length > 0,
    detail: config.fetchAllow.length > 0 ? 'Allowed for some: for development.' : 'None are read.',
  },
  {
    key: 'retrieval',
    label: 'Search in repositories',
    env: 'SERVICE_RETRIEVAL, SERVICE_EMBEDDINGS_MODEL',
    live: config.retrieval !== 'off',
    detail:
      config.retrieval === 'off'
        ? 'Switched off.'
        : `By ${config.retrieval} search, with ${config.embeddingsModel === null ? 'the built-in model' : 'a model of the upstream'}.`,
  },
  {
    key: 'github_app',
    label: 'Review of pull requests on GitHub',
    env: 'SERVICE_GITHUB_APP_ID, SERVICE_GITHUB_PRIVATE_KEY, SERVICE_GITHUB_WEBHOOK_SECRET, SERVICE_GITHUB_API_URL',
    live: config.github !== null,
    detail: whenSet(config.github, 'Set, with its key and the secret of its messages.', 'Not set.'),
  },
  {
    key: 'pr_validation',
    label: 'Validation of pull requests',
    env: 'SERVICE_ENABLE_PR_VALIDATION',
    live: config.pullRequestValidation,
    detail: config.pullRequestValidation ? 'Organisations can switch it on.' : 'Switched off.',
  },
  {
    key: 'leads',
    label: 'Mail about who asks us to write',
    env: 'SERVICE_LEADS_EMAIL',
    live: config.leadsEmail !== null,
    detail: whenSet(config.leadsEmail, 'Somebody is told.', 'Not set: nobody is told.'),
  },
  {
    key: 'seller',
    label: 'Who sells, on invoices',
    env: 'SERVICE_SELLER_NAME, SERVICE_SELLER_ADDRESS, SERVICE_SELLER_TAX_ID',
    live: config.seller.address !== null && config.seller.taxId !== null,
    detail:
      config.seller.address !== null && config.seller.taxId !== null
        ? 'Address and tax number are printed.'
        : 'The address or the tax number is not set, and missing on invoices.',
  },
]

/** Who gets in, and with what. */
export const accessFeatures = (config: Config): Feature[] => [
  {
    key: 'secret',
    label: 'Secret of the service',
    env: 'SERVICE_SECRET',
    live: config.secret !== null,
    detail: whenSet(config.secret, 'Set.', 'Not set: generated into the data folder, for development.'),
  },
  {
    key: 'secret_rotation',
    label: 'Previous secret',
    env: 'SERVICE_SECRET_PREVIOUS',
    live: config.previousSecret !== null,
    detail: whenSet(config.previousSecret, 'Set: still opens what it sealed.', 'Not set: nothing to rotate.'),
  },
  {
    key: 'internal',
    label: 'Internal calls',
    env: 'INTERNAL_SECRET',
    live: config.internalSecret !== null,
    detail: whenSet(config.internalSecret, 'Set.', 'Not set: internal addresses are shut.'),
  },
  {
    key: 'metrics',
    label: 'Metrics for machines',
    env: 'METRICS_TOKEN',
    live: config.metricsToken !== null,
    detail: whenSet(config.metricsToken, 'Set.', 'Not set: metrics are not handed to machines.'),
  },
  {
    key: 'dev_auth',
    label: 'Development sign-in',
    env: 'SERVICE_DEV_AUTH',
    live: config.devAuth,
    detail: config.devAuth ? 'Anybody can sign in as anybody: never for customers.' : 'Switched off.',
  },
  {
    key: 'trust_proxy',
    label: 'Trusted proxies',
    env: 'TRUST_PROXY',
    live: config.trustProxy.trusts !== 'nobody',
    detail: {
      nobody: 'Not set: the address of a client is that of its socket.',
      hops: 'Set, by the number of proxies.',
      ranges: 'Set, by their addresses.',
    }[config.trustProxy.trusts],
  },
  {
    key: 'dns',
    label: 'Name server for the proof of domains',
    env: 'SERVICE_DNS_SERVER',
    live: true,
    detail: whenSet(config.dnsServer, 'One of its own.', 'Not set: that of the system.'),
  },
]

const whenSet = (value: unknown, isSet: string, isNot: string): string => (value === null ? isNot : isSet)

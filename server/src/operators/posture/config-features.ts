// Features that depend only on environment variables.
import type { Config } from '../../platform/config.ts'
import type { Feature } from './feature.ts'

/** Infrastructure. */
export const foundationFeatures = (config: Config): Feature[] => [
  {
    key: 'database',
    label: 'Database',
    env: 'DATABASE_URL',
    live: true,
    detail:
      config.databaseUrl === null
        ? 'Embedded in the data folder. Supports one replica.'
        : 'An external PostgreSQL server.',
  },
  {
    key: 'dedicated_databases',
    label: 'Dedicated databases',
    env: 'SERVICE_DEDICATED_DATABASE_URL',
    live: config.dedicatedDatabaseUrl !== null,
    detail: whenSet(
      config.dedicatedDatabaseUrl,
      'Set. Content can be moved to a separate server.',
      'Not set. Dedicated databases are created on the shared server, if its role may.',
    ),
  },
  {
    key: 'redis',
    label: 'Shared rate limits in Redis',
    env: 'REDIS_URL',
    live: config.redisUrl !== null,
    detail: whenSet(config.redisUrl, 'Set.', 'Not set. Requests are counted in the database.'),
  },
  {
    key: 'mail',
    label: 'Mail',
    env: 'SERVICE_SMTP_URL, SERVICE_MAIL_FROM',
    live: config.smtpUrl !== null,
    detail: whenSet(config.smtpUrl, 'Set.', 'Not set. Mails stay in the development outbox.'),
  },
  {
    key: 'storage',
    label: 'File storage',
    env: 'SERVICE_STORAGE_URL',
    live: true,
    detail: config.storageUrl.startsWith('s3:') ? 'An S3 bucket.' : 'A local folder. Supports one replica.',
  },
  {
    key: 'base_url',
    label: 'Public address',
    env: 'SERVICE_BASE_URL',
    live: config.baseUrl.startsWith('https:'),
    detail: config.baseUrl.startsWith('https:')
      ? 'HTTPS. Cookies are sent only over encrypted connections.'
      : 'Not HTTPS. Only for development.',
  },
  {
    key: 'tracing',
    label: 'Traces',
    env: 'OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_TRACES_SAMPLER_ARG',
    live: config.otlpEndpoint !== null,
    detail: whenSet(config.otlpEndpoint, 'Set. Traces are exported.', 'Not set. No traces are exported.'),
  },
]

/** Customer features. */
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
    label: 'Fetching from private addresses',
    env: 'SERVICE_FETCH_ALLOW',
    live: config.fetchAllow.length > 0,
    detail:
      config.fetchAllow.length > 0 ? 'Allowed for some addresses. Only for development.' : 'Not allowed.',
  },
  {
    key: 'chromium',
    label: 'Page rendering for research',
    env: 'SERVICE_CHROMIUM',
    live: config.chromium !== null,
    detail: whenSet(
      config.chromium,
      'Set. Pages made by scripts are rendered.',
      'Not set. They count as empty.',
    ),
  },
  {
    key: 'retrieval',
    label: 'Repository search',
    env: 'SERVICE_RETRIEVAL, SERVICE_EMBEDDINGS_MODEL',
    live: config.retrieval !== 'off',
    detail:
      config.retrieval === 'off'
        ? 'Disabled.'
        : `Uses ${config.retrieval} search with ${config.embeddingsModel === null ? 'the built-in model' : 'an upstream model'}.`,
  },
  {
    key: 'github_app',
    label: 'GitHub pull request review',
    env: 'SERVICE_GITHUB_APP_ID, SERVICE_GITHUB_PRIVATE_KEY, SERVICE_GITHUB_WEBHOOK_SECRET, SERVICE_GITHUB_API_URL',
    live: config.github !== null,
    detail: whenSet(config.github, 'Set, with private key and webhook secret.', 'Not set.'),
  },
  {
    key: 'pr_validation',
    label: 'Pull request validation',
    env: 'SERVICE_ENABLE_PR_VALIDATION',
    live: config.pullRequestValidation,
    detail: config.pullRequestValidation ? 'Organisations can enable it.' : 'Disabled.',
  },
  {
    key: 'leads',
    label: 'Contact requests by email',
    env: 'SERVICE_LEADS_EMAIL',
    live: config.leadsEmail !== null,
    detail: whenSet(
      config.leadsEmail,
      'Set. Contact requests are mailed.',
      'Not set. Contact requests are only stored.',
    ),
  },
  {
    key: 'seller',
    label: 'Seller on invoices',
    env: 'SERVICE_SELLER_NAME, SERVICE_SELLER_ADDRESS, SERVICE_SELLER_TAX_ID',
    live: config.seller.address !== null && config.seller.taxId !== null,
    detail:
      config.seller.address !== null && config.seller.taxId !== null
        ? 'Address and tax number are printed.'
        : 'The address or the tax number is not set and is missing on invoices.',
  },
]

/** Access and secrets. */
export const accessFeatures = (config: Config): Feature[] => [
  {
    key: 'secret',
    label: 'Service secret',
    env: 'SERVICE_SECRET',
    live: config.secret !== null,
    detail: whenSet(config.secret, 'Set.', 'Not set. Generated in the data folder, only for development.'),
  },
  {
    key: 'secret_rotation',
    label: 'Previous secret',
    env: 'SERVICE_SECRET_PREVIOUS',
    live: config.previousSecret !== null,
    detail: whenSet(
      config.previousSecret,
      'Set. Data sealed with it can still be read.',
      'Not set. No rotation in progress.',
    ),
  },
  {
    key: 'internal',
    label: 'Internal calls',
    env: 'INTERNAL_SECRET',
    live: config.internalSecret !== null,
    detail: whenSet(config.internalSecret, 'Set.', 'Not set. Internal routes are disabled.'),
  },
  {
    key: 'metrics',
    label: 'Prometheus metrics',
    env: 'METRICS_TOKEN',
    live: config.metricsToken !== null,
    detail: whenSet(config.metricsToken, 'Set.', 'Not set. The metrics endpoint is disabled.'),
  },
  {
    key: 'dev_auth',
    label: 'Development sign-in',
    env: 'SERVICE_DEV_AUTH',
    live: config.devAuth,
    detail: config.devAuth ? 'Anyone can sign in as any user. Never use it in production.' : 'Disabled.',
  },
  {
    key: 'staff_second_factor',
    label: 'Second factor of staff',
    env: 'SERVICE_STAFF_SECOND_FACTOR',
    live: config.staffSecondFactor,
    detail: config.staffSecondFactor
      ? 'Staff sign in with a second factor, and confirm money actions with it.'
      : 'Off. A password alone opens the staff console. Only for development.',
  },
  {
    key: 'trust_proxy',
    label: 'Trusted proxies',
    env: 'TRUST_PROXY',
    live: config.trustProxy.trusts !== 'nobody',
    detail: {
      nobody: 'Not set. The client address is that of the socket.',
      hops: 'Set by number of proxies.',
      ranges: 'Set by proxy addresses.',
    }[config.trustProxy.trusts],
  },
  {
    key: 'dns',
    label: 'Name server for domain verification',
    env: 'SERVICE_DNS_SERVER',
    live: true,
    detail: whenSet(config.dnsServer, 'A configured name server.', 'Not set. Uses the system resolver.'),
  },
]

const whenSet = (value: unknown, set: string, unset: string): string => (value === null ? unset : set)

// App holds every dependency with side effects. It is built once at start and passed to the functions that need it.

import type { Clock } from '../kernel/clock.ts'
import type { ApprovalHandler } from './approval-handler.ts'
import type { ChainSource } from './chains.ts'
import type { Config } from './config.ts'
import type { Content } from './content/content.ts'
import type { TenantData } from './data-export.ts'
import type { Db } from './db/tx.ts'
import type { InternalClient } from './http/internal-client.ts'
import type { KeyRates } from './http/rate/key-rates.ts'
import type { Target } from './inference/model-request.ts'
import type { JobQueue } from './jobs/job-queue.ts'
import type { Log } from './log/log.ts'
import type { Metrics } from './log/metrics.ts'
import type { Tracer } from './log/tracing.ts'
import type { Mailer } from './mail/mailer.ts'
import type { PaymentHandler } from './payment-handler.ts'
import type { SealedData } from './sealed-data.ts'
import type { Secrets } from './secrets.ts'
import type { Settings } from './settings/settings.ts'
import type { Storage } from './storage/storage.ts'
import type { StoredObjects } from './storage/stored-objects.ts'
import type { VerificationHandler } from './verification-handler.ts'

export type App = {
  readonly config: Config
  readonly clock: Clock
  readonly log: Log
  readonly metrics: Metrics
  readonly tracing: Tracer
  readonly secrets: Secrets
  readonly db: Db
  readonly settings: Settings
  readonly jobs: JobQueue
  readonly mail: Mailer
  readonly storage: Storage
  readonly content: Content
  /** Used while no model service is configured. Null in production. */
  readonly developmentModel: Target | null
  /** By payment purpose: runs when a payment settles, fails or is reversed. */
  readonly approvalHandlers: Readonly<Record<string, ApprovalHandler<App>>>
  readonly paymentHandlers: Readonly<Record<string, PaymentHandler<App>>>
  /** Run in the transaction that verifies the address of a person. */
  readonly verificationHandlers: readonly VerificationHandler<App>[]
  /** The data that each module stores for organisations. */
  readonly tenantData: readonly TenantData<App>[]
  /** The data that modules store sealed. */
  readonly sealed: readonly SealedData<App>[]
  /** The objects that rows of modules name. */
  readonly storedObjects: readonly StoredObjects<App>[]
  /** The hash chains that modules keep. */
  readonly chains: readonly ChainSource[]
  /** The rates of API keys. */
  readonly keyRates: Pick<KeyRates, 'countRequest' | 'requireTokens' | 'countTokens'>
  /** Calls an endpoint of this service with the credentials of a caller. */
  readonly callInternal: InternalClient
}

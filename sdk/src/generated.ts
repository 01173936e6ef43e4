// Printed from openapi.json by `npm run print`; do not edit.
import type { CallOptions, Operation } from './operation.ts'

export const API_VERSION = 2

export type AdminOrg = {
  orgId: string
  name: string
  type: 'individual' | 'team'
  tier: 'individual' | 'team' | 'enterprise'
  /** `none` for an organisation that has never subscribed. */
  subscriptionStatus: 'active' | 'past_due' | 'canceled' | 'incomplete' | 'none'
  kycStatus: 'unsubmitted' | 'pending' | 'verified' | 'rejected'
  members: number
  suspended: boolean
  suspendedAt: string | null
  suspendedReason: string | null
  /** The staff member who suspended it. */
  suspendedByEmail: string | null
  closed: boolean
  closedAt: string | null
  plan: string | null
  residencyRegion: string | null
  /** Where its content is stored, or is being moved to. */
  dataIsolation: 'shared' | 'schema' | 'dedicated'
  currency: string
  balanceMinor: bigint
  heldMinor: bigint
  createdAt: string
}

export type AdminPayment = {
  reference: string
  orgId: string
  orgName: string
  userId: string
  channel: string
  rail: string
  /** The provider account, by country. */
  account: string | null
  mode: 'live' | 'mock'
  status: 'pending' | 'settled' | 'failed' | 'expired' | 'review'
  reason: string | null
  amountMinor: bigint
  /** The amount that the provider reported, for payments that are or were under review. */
  saidMinor: bigint | null
  capturedMinor: bigint
  refundedMinor: bigint
  returnedMinor: bigint
  refundingMinor: bigint
  disputedMinor: bigint
  /** The payment whose reference the payer paid a second time. */
  repeatOf: string | null
  currency: string
  email: string
  providerRef: string | null
  transactionId: string | null
  createdAt: string
  expiresAt: string
  settledAt: string | null
  reversedAt: string | null
  /** When staff decided a review. */
  decidedAt: string | null
  /** The next check with the provider. */
  nextCheckAt: string | null
  checks: number
  /** The number of webhook events. */
  events: number
}

export type AgentContext = {
  /** Files that the model saw completely. */
  included: string[]
  /** Files that the model saw in part or not at all. */
  omitted: Array<{
    path: string
    lines: number
    shownLines: number
  }>
}

export type AgentQuote = {
  lane: 'open' | 'frontier'
  model: string
  /** The most prompt tokens of the first turn. */
  promptTokens: number
  minMinor: bigint
  maxMinor: bigint
  /** The usual cost: work of the last 30 days on the same model with a prompt of similar size. Null where too little is comparable. */
  usuallyMinor: UsualCost | null
  leastMinor: bigint
  balanceMinor: bigint
  availableMinor: bigint
  /** Whether the run would start. With little money the answer is kept short. */
  affordable: boolean
  /** The most iterations; 1 for a single run. */
  iterations: number
  /** Secrets withheld from the model: whole files, or values with their line. `path` is a file, `prompt` or `test output`. Edits keep the values. Set `allowSecrets` to send them. */
  withheld?: Array<{
    path: string
    line?: number | undefined
    reason: string
  }> | undefined
}

export type AgentRun = {
  id: string
  userId: string
  kind: 'run' | 'loop'
  status: 'running' | 'completed' | 'cancelled' | 'failed'
  prompt: string
  lane: 'open' | 'frontier'
  model: string
  sandbox: 'none' | 'local' | 'docker'
  testCmd: string | null
  maxIters: number
  /** Dispatched and charged iterations. */
  iterations: number
  verified: boolean
  cancelled: boolean
  stopReason: string | null
  error?: string | undefined
  code?: string | undefined
  costMinor: bigint
  createdAt: string
  finishedAt: string | null
  result: {
    id: string
    plan: string
    summary: string
    lane: 'open' | 'frontier'
    model: string
    costMinor: bigint
    /** Findings of our rules in the change. */
    review?: { [key: string]: unknown } | undefined
    /** Partial: some intended changes are missing; `warnings` lists them. A run that intended changes and made none is free. */
    status?: 'complete' | 'partial' | undefined
    warnings?: string[] | undefined
    context?: AgentContext | undefined
    /** Secrets withheld from the model: whole files, or values with their line. `path` is a file, `prompt` or `test output`. Edits keep the values. Set `allowSecrets` to send them. */
    withheld?: Array<{
      path: string
      line?: number | undefined
      reason: string
    }> | undefined
    edits: FileEdit[]
  } | null
}

export type AgentRunRequest = {
  /** The task. */
  prompt: string
  /** The files of the task: at most 200, with at most 1500000 characters in total. Files that exceed the context window are truncated, and the reply lists them. */
  context?: Array<{
    path: string
    content: string
  }> | undefined
  /** The indexed repository to take excerpts from. Default: `default`, or the only indexed one. */
  repo?: string | undefined
  /** True requests the frontier lane, if your policy allows it. */
  frontier?: boolean | undefined
  /** The most that it may cost. A task that needs more is refused with 402. */
  maxMinor?: bigint | undefined
  /** True sends secrets in `prompt` and `context` to the model. Otherwise files such as `.env` and values that look like secrets are withheld and listed in `withheld`. Ask the owner of the files first. */
  allowSecrets?: boolean | undefined
}

export type AgentRunResult = {
  id: string
  plan: string
  summary: string
  lane: 'open' | 'frontier'
  model: string
  costMinor: bigint
  /** Findings of our rules in the change. */
  review?: { [key: string]: unknown } | undefined
  /** Partial: some intended changes are missing; `warnings` lists them. A run that intended changes and made none is free. */
  status?: 'complete' | 'partial' | undefined
  warnings?: string[] | undefined
  context?: AgentContext | undefined
  /** Secrets withheld from the model: whole files, or values with their line. `path` is a file, `prompt` or `test output`. Edits keep the values. Set `allowSecrets` to send them. */
  withheld?: Array<{
    path: string
    line?: number | undefined
    reason: string
  }> | undefined
  edits: FileEdit[]
  balanceMinor: bigint
  /** True if the run was stopped before its end. */
  cancelled?: boolean | undefined
}

export type AnthropicError = {
  type: 'error'
  error: {
    /** Anthropic's type for the HTTP status. */
    type: string
    /** One sentence that says what to do. */
    message: string
    /** Stable name of the refusal. */
    code: string
    [key: string]: unknown
  }
  request_id?: string | undefined
  [key: string]: unknown
}

export type ApiKey = {
  id: string
  name: string
  scopes: string[]
  /** The first characters of the key, to recognise it. */
  prefix: string
  createdAt: string
  /** Updated at most every minute. */
  lastUsedAt: string | null
  expiresAt: string | null
  createdBy: {
    userId: string
    email: string
  }
  budgetMinor: bigint | null
  budgetPeriod: 'total' | 'day' | 'week' | 'month'
  models: string[] | null
  requestsPerMinute: number | null
  tokensPerMinute: number | null
  allowedAddresses: string[] | null
  spentMinor: bigint
  /** The budget without spent and reserved money; null without a budget. */
  budgetLeftMinor: bigint | null
}

export type Approval = {
  id: string
  /** The operation, such as `wallet.refund`. */
  kind: string
  orgId: string
  orgName: string
  /** The payment. */
  reference: string | null
  amountMinor: bigint
  currency: string
  reason: string
  requestedBy: string
  requestedAt: string
  expiresAt: string
  /** `void`: the requester lost or changed the tier before the approval. */
  state: 'pending' | 'approved' | 'rejected' | 'void' | 'expired'
  decidedBy: string | null
  decidedAt: string | null
  note: string | null
}

export type Attachment = {
  id: string
  kind: 'generated'
  /** Null: visible to the whole organisation. */
  projectId: string | null
  /** The id of the resource that generated it, such as a research run. */
  origin: string
  name: string
  contentType: string
  bytes: number
  sha256: string
  /** The download path. */
  url: string
  createdBy: string
  createdAt: string
}

export type AutomaticTopup = {
  /** `paused` needs an owner: PUT the same values to resume. */
  status: 'active' | 'paused'
  currency: 'NGN' | 'KES' | 'GHS' | 'ZAR' | 'EGP' | 'UGX' | 'XOF' | 'XAF' | 'RWF' | 'TZS' | 'ZMW' | 'GNF' | 'USD'
  thresholdMinor: bigint
  amountMinor: bigint
  monthlyMaxMinor: bigint
  card: {
    id: string
    brand: string
    last4: string
  }
  monthChargedMinor: bigint
  /** Another charge would exceed the monthly maximum. It continues then. */
  limitedUntil: string | null
  /** `card_declined`: the bank declined. `bank_confirmation`: open `attempt.authorizationUrl` and confirm. `card_unusable`: the card is expired or cannot be charged. `payment_disputed`: a card payment is disputed or was reversed. `currency_changed`: the wallet has another currency. `no_answer`: the provider gave no answer within a day. `member_left`: the person who turned it on is no longer an owner, or the person who added the card has left. */
  pausedReason: 'card_declined' | 'bank_confirmation' | 'card_unusable' | 'payment_disputed' | 'currency_changed' | 'no_answer' | 'member_left' | null
  /** The words of the bank, if it gave any. */
  pausedDetail: string | null
  pausedAt: string | null
  /** The charge whose outcome is not known yet. There is at most one. */
  attempt: TopupAttempt | null
  updatedAt: string
}

export type AutomaticTopupRequest = {
  thresholdMinor: bigint
  amountMinor: bigint
  monthlyMaxMinor: bigint
  /** A stored card of your organisation. */
  cardId: string
}

export type AutomaticTopupState = {
  /** Null while it is off. */
  automaticTopup: AutomaticTopup | null
  /** As `automaticTopup.attempt`, and also shown while automatic top-up is off. */
  openAttempt: TopupAttempt | null
}

export type BillingDetails = {
  legalName: string | null
  address: string | null
  taxId: string | null
  country: string | null
  updatedAt: string | null
  /** The values that the next invoice will show. */
  invoicedAs: {
    name: string
    country: string | null
    taxes: Array<{
      name: string
      rateBps: number
    }>
  }
}

export type BillingSummary = {
  currency: 'NGN' | 'KES' | 'GHS' | 'ZAR' | 'EGP' | 'UGX' | 'XOF' | 'XAF' | 'RWF' | 'TZS' | 'ZMW' | 'GNF' | 'USD'
  wallet: Wallet
  subscription: Subscription | null
  /** The plan as it was sold. */
  plan: Plan | null
  included: {
    totalMinor: bigint
    usedMinor: bigint
    remainingMinor: bigint
    resetsAt: string | null
  }
  seats: {
    /** Seats included in the plan. */
    allotment: number
    /** Seats bought in addition. */
    purchased: number
    /** The most members that the organisation can have. */
    total: number
    occupied: number
  }
  /** The downgrade at the end of the period. */
  scheduledChange: ScheduledChange | null
}

export type BuildVersion = {
  version: string
  apiVersion: number
  commit: string
  builtAt: string | null
  environment: string
}

export type Card = {
  id: string
  brand: string
  last4: string
  expMonth: number
  expYear: number
  bank: string | null
  /** Charged first on renewals and upgrades. */
  isDefault: boolean
  createdAt: string
  /** Past its expiry month. An expired card is never charged. */
  expired: boolean
}

export type CatalogueModel = {
  id: string
  title: string
  lane: 'open' | 'frontier'
  routes: Array<{
    providerId: string
    /** The name of the model at the provider. */
    upstreamModel: string
    priority: number
    weight: number
  }>
  contextTokens: number
  outputTokens: number
  capabilities: Array<'tools' | 'images' | 'reasoning' | 'cache'>
  /** Kobo per million tokens of each class. */
  price: {
    input: number
    output: number
    cachedInput: number
    cacheWrite: number
  }
  priceVersion: number
  priceSince: string
  aliases: string[]
  enabled: boolean
}

export type ChatLastFrame = {
  message: ChatMessage
  costMinor: bigint
  balanceMinor: bigint
  /** Your question. */
  userMessage: {
    id: string
    createdAt: string
  }
  /** `length`: cut at 4096 tokens, or at the limit from `maxMinor`, the wallet or a cap. `content_filter`: the provider withheld the rest. */
  finish: 'stop' | 'length' | 'content_filter' | 'stopped'
  /** How many earlier messages the model received, and how many did not fit. */
  context: {
    messages: number
    dropped: number
  }
  /** Secrets hidden from the model. `path` is `prompt`, `conversation` for earlier messages, or an indexed file. */
  withheld?: Array<{
    path: string
    line?: number | undefined
    reason: string
  }> | undefined
  /** Frame number in this stream, starting at 1. */
  seq: number
}

export type ChatMessage = {
  id: string
  role: 'user' | 'assistant'
  content: string
  createdAt: string
  /** Null, like `model`, for questions and for answers of other features, such as reports. */
  lane: 'open' | 'frontier' | null
  model: string | null
  costMinor: bigint
  /** `stopped`: the answer is incomplete and its text was charged. `failed`: nothing was charged. */
  status: 'complete' | 'stopped' | 'failed'
  /** For a failed answer: the error code of the stream, or `interrupted` when our process died. For a stopped answer: `length` at the output limit, `content_filter` when the provider withheld the rest, null when you stopped it. */
  errorCode: string | null
}

export type CodeHostWebhookReply = {
  ok: true
  result: 'queued' | 'noted' | 'ignored' | 'duplicate'
}

export type CompOfOrg = {
  comp: {
    orgId: string
    planCode: 'free' | 'pro' | 'team' | 'enterprise'
    until: string | null
    inForce: boolean
    reason: string
    grantedBy: string
    createdAt: string
  } | null
}

export type CompatibleError = {
  error: {
    /** One sentence that says what to do. */
    message: string
    type: string
    /** The field it is about. */
    param: string | null
    /** Stable name of the refusal. */
    code: string
    [key: string]: unknown
  }
  requestId: string
  [key: string]: unknown
}

export type Currency = {
  code: 'NGN' | 'KES' | 'GHS' | 'ZAR' | 'EGP' | 'UGX' | 'XOF' | 'XAF' | 'RWF' | 'TZS' | 'ZMW' | 'GNF' | 'USD'
  symbol: string
  minorUnit: number
  minorName: string
}

export type CustomRule = {
  id: string
  yaml: string
  enabled: boolean
  /** Whether this version understands the rule. Others are not used. */
  valid: boolean
  createdAt: unknown
  updatedAt: unknown
}

export type CustomRuleList = {
  rules: CustomRule[]
}

export type DisputeEvidence = {
  customer: {
    orgId: string
    orgName: string
    userId: string
    name: string | null
    email: string
  }
  payment: {
    reference: string
    channel: string
    rail: string
    transactionId: string | null
    currency: string
    capturedMinor: bigint
    createdAt: string
    settledAt: string
  }
  invoice: {
    number: string
    receiptUrl: string
  } | null
  /** After the payment, newest first, at most 50. */
  signIns: Array<{
    at: string
    ip: string | null
    method: string | null
  }>
  /** After the payment, by kind of work. */
  usage: Array<{
    source: string
    charges: number
    amountMinor: bigint
    firstAt: string
    lastAt: string
  }>
  balanceMinor: bigint
  heldMinor: bigint
  /** The prepared text for the bank. */
  serviceDetails: string
}

export type EInvoice = {
  id: string
  orgId: string
  orgName: string
  kind: 'invoice' | 'credit_note'
  number: string
  receiptUrl: string
  currency: 'NGN' | 'KES' | 'GHS' | 'ZAR' | 'EGP' | 'UGX' | 'XOF' | 'XAF' | 'RWF' | 'TZS' | 'ZMW' | 'GNF' | 'USD'
  totalMinor: bigint
  authority: string
  /** `waiting`: not sent yet; `sent`: sent, without a final answer; `rejected`: correct the cause and retry; `unclear`: given up, or the authority has another document of this number. */
  state: 'waiting' | 'sent' | 'accepted' | 'rejected' | 'unclear'
  /** The number of the authority, printed on the receipt. */
  authorityId: string | null
  /** The text of the QR code on the receipt. */
  qr: string | null
  attempts: number
  /** Why the last attempt had no result. */
  failure: string | null
  /** Why the authority rejected it. */
  reasons: string[]
  createdAt: string
  sentAt: string | null
  /** The next attempt. */
  dueAt: string | null
  decidedAt: string | null
}

/** The last frame of a stream that fails after it began. */
export type ErrorFrame = {
  /** One sentence that says what to do. */
  error: string
  /** Stable name of the refusal. */
  code: string
}

export type FileEdit = {
  /** Clean, relative, inside the workspace. */
  path: string
  action: 'create' | 'update' | 'delete'
  /** The whole new text; empty for delete. */
  content: string
  description: string
  /** Hash of the text that was sent, to detect files that changed since; null for new files. */
  baseSha256: string | null
}

export type Flag = {
  key: string
  description: string
  defaultEnabled: boolean
  tierOverrides: {
    individual?: boolean | undefined
    team?: boolean | undefined
    enterprise?: boolean | undefined
  }
  /** The 100 newest overrides. */
  orgOverrides: Array<{
    orgId: string
    enabled: boolean
  }>
  /** Whether there are more overrides. `GET /admin/flags/{key}/orgs` lists all. */
  moreOrgOverrides: boolean
  updatedAt: string
}

export type GatewayModel = {
  id: string
  object: 'model'
  created: number
  owned_by: string
  /** The context window in tokens. */
  context_window: number
  currency: string
  price_per_1m_minor: number
  title: string
  lane: 'open' | 'frontier'
  max_output_tokens: number
  /** Null for a lane, whose model the operator may change. */
  capabilities: Array<'tools' | 'images' | 'reasoning' | 'cache'> | null
  /** The price of a million tokens of each class, in minor units of `currency`. */
  price: {
    input: number
    output: number
    cached_input: number
    cache_write: number
  }
}

export type GeminiError = {
  error: {
    /** The HTTP status. */
    code: number
    /** One sentence that says what to do. */
    message: string
    /** Google's name for the HTTP status. */
    status: string
    /** The `reason` of the first detail is the stable name of the refusal. */
    details: Array<{ [key: string]: unknown }>
    [key: string]: unknown
  }
  [key: string]: unknown
}

export type IndexReply = {
  /** Files that this call indexed. */
  indexed: number
  /** Files indexed before with the same content. Free. */
  unchanged: number
  /** Number of chunks of the indexed files. */
  chunks: number
  /** Embedded tokens, charged at the price of the open lane. */
  tokens: number
  /** The embedding model. */
  model: string
  /** Files that were not indexed, with the reason. Their earlier versions are removed from the index. */
  skipped: Array<{
    path: string
    reason: 'invalid_path' | 'ignored' | 'vendored' | 'generated' | 'minified' | 'lockfile' | 'binary' | 'too_large' | 'empty' | 'secret'
  }>
  /** If the call has a history. */
  history?: {
    /** base_differs: `after` is not the newest stored commit; send the whole history. no_files: no file is indexed. */
    outcome: 'stored' | 'unchanged' | 'base_differs' | 'no_files'
    /** Number of stored commits. */
    commits: number
  } | undefined
  costMinor: bigint
  balanceMinor: bigint
}

export type IndexState = {
  /** Whether this deployment can index files. */
  enabled: boolean
  /** The repository of the totals and paths. */
  repo: string
  chunks: number
  /** Sorted, at most 20000. `files` is the total number. */
  paths: string[]
  /** The number of chunks of each of `paths`. */
  chunksByPath: number[]
  /** Of each of `paths`: the first 12 hexadecimal digits of its SHA-256. */
  digests: string[]
  files: number
  bytes: number
  /** The embedding model for new files. */
  model: string
  updatedAt: string | null
  /** The newest commit and the number of commits of the stored history. */
  history: {
    latest: string
    commits: number
  } | null
  /** All indexed repositories, sorted by name. */
  repositories: Array<{
    repo: string
    files: number
    chunks: number
    bytes: number
    updatedAt: string
  }>
}

export type Invoice = {
  id: string
  /** Consecutive within your organisation. */
  number: string
  status: 'paid' | 'open' | 'void'
  currency: 'NGN' | 'KES' | 'GHS' | 'ZAR' | 'EGP' | 'UGX' | 'XOF' | 'XAF' | 'RWF' | 'TZS' | 'ZMW' | 'GNF' | 'USD'
  subtotalMinor: bigint
  taxMinor: bigint
  totalMinor: bigint
  /** Including tax; they sum to the total. Credits are negative. */
  lines: Array<{
    description: string
    quantity: number
    amountMinor: bigint
  }>
  issuedAt: string
  paidAt: string | null
  /** A printable page; `?format=pdf` sends it as a PDF file. */
  receiptUrl: string
  subject: 'topup' | 'card' | 'checkout' | 'change' | 'seats' | 'renewal' | 'credit'
  /** `mock` is test money without value. */
  mode: 'live' | 'mock'
  /** The reference of the payment. */
  reference: string | null
  method: string | null
  /** The country whose tax is included. */
  country: string | null
  taxes: Array<{
    name: string
    /** Of the price without tax, in hundredths of a percent. */
    rateBps: number
    amountMinor: bigint
  }>
  creditedMinor: bigint
  /** At most 50, oldest first. */
  creditNotes: Array<{
    id: string
    number: string
    totalMinor: bigint
    reason: string
    issuedAt: string
    /** A printable page; `?format=pdf` sends it as a PDF file. */
    receiptUrl: string
  }>
}

export type IpAllowList = {
  entries: Array<{
    cidr: string
    label: string | null
  }>
  /** The address of this call, as the service sees it. */
  yourAddress: string
}

export type KycRecord = {
  orgId: string
  orgName: string
  businessName: string
  /** Empty when not submitted. The same applies to `contactEmail` and `documentRef`. */
  registrationNumber: string
  contactEmail: string
  documentRef: string
  /** Notes of the reviewer. Empty before the review. */
  reviewerNotes: string
  status: 'unsubmitted' | 'pending' | 'verified' | 'rejected'
  submittedAt: string
  reviewedAt: string | null
}

export type LaneMargin = {
  lane: 'open' | 'frontier'
  revenueMinor: bigint
  /** Token cost at the current configured price per million, rounded to the nearest minor unit. Cost and margin are null for callers who are not staff. */
  cogsMinor: bigint | null
  marginMinor: bigint | null
  /** Percentage of revenue; null without revenue. */
  marginPct: number | null
  tokens: number
}

export type LaneRoutes = {
  id: 'open' | 'frontier'
  /** Tried after the route of the settings. */
  routes: Array<{
    providerId: string
    /** The name of the model at the provider. */
    upstreamModel: string
    priority: number
    weight: number
  }>
}

export type LedgerEntry = {
  id: string
  type: 'credit' | 'debit'
  amountMinor: bigint
  source: 'topup' | 'agent' | 'chat' | 'index' | 'research' | 'review' | 'gateway' | 'refund' | 'adjustment' | 'subscription' | 'trial'
  /** The payment, run or message that caused the entry. */
  ref: string
  balanceAfterMinor: bigint
  createdAt: string
}

export type McpMessage = {
  jsonrpc: '2.0'
  id?: string | number | undefined
  method?: string | undefined
  params?: { [key: string]: unknown } | undefined
}

export type McpReply = {
  jsonrpc: '2.0'
  id?: string | number | undefined
  result?: { [key: string]: unknown } | undefined
  error?: {
    code: number
    message: string
    data?: unknown
  } | undefined
}

export type Me = {
  userId: string
  orgId: string
  email: string
  /** The new address that waits for its confirmation. Null without one, and for API keys. */
  pendingEmail: {
    email: string
    expiresAt: string
  } | null
  /** The language of mails to you. Null: English. */
  language: 'en' | 'fr' | 'sw' | 'ar' | null
  role: 'owner' | 'admin' | 'member'
  scopes: string[]
  isPlatformAdmin: boolean
  isSuperAdmin: boolean
  staffRole: 'support' | 'billing' | 'compliance' | 'operator' | 'super_admin' | null
  /** Staff calls are refused until this session shows a second factor: POST /auth/step-up. */
  staffFactorRequired: boolean
  currency: Currency
  balanceMinor: bigint
  heldMinor: bigint
  availableMinor: bigint
  trialMinor: bigint
  trialExpiresAt: string | null
  mfaEnabled: boolean
  plan: string | null
  subscriptionStatus: string | null
  includedRemainingMinor: bigint
  orgName: string
  orgType: string
  orgSuspended: boolean
  kycStatus: string
  /** Your spending cap for this calendar month in UTC, and the remaining amount. Null without a cap. */
  cap: {
    capMinor: bigint
    leftMinor: bigint
  } | null
  /** The policy of the organisation. */
  orgPolicy: {
    tier: string
    allowedLanes: Array<'open' | 'frontier'>
    residencyRegion: string | null
  }
}

export type Member = {
  userId: string
  email: string
  name: string | null
  role: 'owner' | 'admin' | 'member'
  /** Spend per calendar month; null for no cap. */
  seatCapMinor: bigint | null
  /** True until the member opens the team for the first time. Until then `name` is null. */
  pending: boolean
  joinedAt: string
}

export type MfaEnrolment = {
  secret: string
  otpauthUrl: string
  qrSvg: string
}

export type MfaStatus = {
  enabled: boolean
  recoveryCodesLeft: number
  passkeys: number
}

export type NewScimToken = {
  id: string
  name: string
  prefix: string
  createdBy: string
  createdAt: string
  lastUsedAt: string | null
  token: string
}

export type NewTask = {
  /** Default: made from the first prompt. */
  title?: string | undefined
  workspace: {
    kind: 'files'
    files: Array<{
      path: string
      content: string
      /** Default: utf8. Use base64 for files that are not text. */
      encoding?: 'utf8' | 'base64' | undefined
    }>
  } | {
    kind: 'repository'
    /** An installation of GET /vcs/installations. */
    installationId: string
    repository: string
    /** A branch, a tag or a commit. Default: the default branch. */
    ref?: string | undefined
  } | {
    kind: 'client'
    /** Shown to people, such as the name of the folder. */
    name: string
    /** Tools that you run, beside those of the service: the turn asks with `needs_tool`. At most 64, and 128 kB together. */
    tools?: TaskClientTool[] | undefined
    /** A file such as AGENTS.md that describes the conventions of the folder to the model. */
    conventions?: {
      path: string
      text: string
    } | undefined
  }
  /** `open`, `frontier` or a model of GET /v1/models. Default: chosen for each turn. */
  model?: string | undefined
  /** The most that all turns of the task may cost together. */
  budgetMinor?: bigint | undefined
  /** Standing instructions for every turn. */
  instructions?: string | undefined
}

export type NewTaskTurn = {
  prompt: string
  attachments?: Array<{
    name: string
    mediaType: 'image/png' | 'image/jpeg' | 'image/gif' | 'image/webp'
    data: string
  } | {
    name: string
    content: string
  }> | undefined
  /** The most that this turn may cost. Default: see the quote. */
  maxMinor?: bigint | undefined
  /** The command that verifies the result. Default: the test command of the repository. */
  verify?: {
    command: string
  } | undefined
  /** True sends secrets in the prompt, in attachments, and in files that the prompt names, to the model. Otherwise they are withheld and listed. */
  allowSecrets?: boolean | undefined
  /** `open`, `frontier` or a model of GET /v1/models. Default: chosen for each turn. */
  model?: string | undefined
  /** `plan`: the model reads and answers with a plan. Tools that change something are refused. Default: `work`. */
  mode?: 'work' | 'plan' | undefined
  /** True replaces the conversation before this turn by a summary first. It is a metered call within `maxMinor`. */
  compact?: boolean | undefined
}

export type Ok = {
  ok: true
}

export type Operator = {
  userId: string
  email: string
  role: 'support' | 'billing' | 'compliance' | 'operator' | 'super_admin'
  isSuperAdmin: boolean
  /** The root administrator from the configuration. */
  isRoot: boolean
}

export type OperatorInvite = {
  id: string
  email: string
  role: 'support' | 'billing' | 'compliance' | 'operator' | 'super_admin'
  expiresAt: string
  createdAt: string
  invitedByEmail: string | null
}

export type OrgExport = {
  format: 1
  exportedAt: string
  orgId: string
  /** The organisation, its policy and its plan. */
  org: { [key: string]: unknown } | null
  /** The connection of its single sign-on, without secrets, and its domains. */
  sso: { [key: string]: unknown } | null
  /** Its business details and the result of their review. */
  kyc: { [key: string]: unknown } | null
  /** Its feature flags and their reasons. */
  flags: Array<{ [key: string]: unknown }>
  /** The current balances of its wallet, and the posting that they follow from. */
  wallet: { [key: string]: unknown } | null
  /** The proof that the newest published head of its wallet is in the transparency log. */
  transparency: { [key: string]: unknown } | null
  /** The billing details on its invoices. */
  billingDetails: { [key: string]: unknown } | null
  /** A plan granted by staff. */
  givenPlan: { [key: string]: unknown } | null
  /** The rule that charges a card when the balance is low. */
  automaticTopup: { [key: string]: unknown } | null
  /** Its members, with roles and caps. */
  members: Array<{ [key: string]: unknown }>
  /** Its API keys, without secrets. */
  apiKeys: Array<{ [key: string]: unknown }>
  /** The tokens of its directory service, without secrets. */
  scimTokens: Array<{ [key: string]: unknown }>
  /** Its users as the directory service describes them. */
  scimUsers: Array<{ [key: string]: unknown }>
  /** The groups of its directory service, with their members. */
  scimGroups: Array<{ [key: string]: unknown }>
  /** Its webhook endpoints, without secrets. */
  webhookEndpoints: Array<{ [key: string]: unknown }>
  /** Every credit and debit. */
  ledger: Array<{ [key: string]: unknown }>
  /** Every posting of its wallet, with its hash. */
  movements: Array<{ [key: string]: unknown }>
  /** Reservations for work, and their results. */
  holds: Array<{ [key: string]: unknown }>
  /** The exact sum of charges that accumulate, and the sum of their debits. */
  accruals: Array<{ [key: string]: unknown }>
  /** The spending of each member by month. */
  memberMonths: Array<{ [key: string]: unknown }>
  /** The trial credit, if it was granted. */
  trialCredits: Array<{ [key: string]: unknown }>
  /** The spending of each API key by day. */
  keySpend: Array<{ [key: string]: unknown }>
  /** Every metered turn. */
  usage: Array<{ [key: string]: unknown }>
  /** The model calls of the request log. */
  requests: Array<{ [key: string]: unknown }>
  /** Every invoice. */
  invoices: Array<{ [key: string]: unknown }>
  /** Every credit note. */
  creditNotes: Array<{ [key: string]: unknown }>
  /** Every top-up. */
  topups: Array<{ [key: string]: unknown }>
  /** Payments for plans and cards. */
  otherPayments: Array<{ [key: string]: unknown }>
  /** Refunds by payment providers and banks, and disputes. */
  paymentReturns: Array<{ [key: string]: unknown }>
  /** Refunds by staff to the card, account or phone that paid. */
  sourceRefunds: Array<{ [key: string]: unknown }>
  /** Credits by staff. */
  refunds: Array<{ [key: string]: unknown }>
  /** Every subscription. */
  subscriptions: Array<{ [key: string]: unknown }>
  /** The bills of subscriptions. */
  bills: Array<{ [key: string]: unknown }>
  /** Stored cards: brand and last digits. */
  cards: Array<{ [key: string]: unknown }>
  /** Indexed files with their searchable chunks. */
  indexFiles: Array<{ [key: string]: unknown }>
  /** Commit histories of indexed repositories. */
  indexHistories: Array<{ [key: string]: unknown }>
  /** Agent runs with their edits. */
  agentRuns: Array<{ [key: string]: unknown }>
  /** Chat threads of its members. */
  threads: Array<{ [key: string]: unknown }>
  /** Messages of the threads. */
  messages: Array<{ [key: string]: unknown }>
  /** Stored responses of the Responses API, with their input. */
  storedResponses: Array<{ [key: string]: unknown }>
  /** Its projects. */
  projects: Array<{ [key: string]: unknown }>
  /** The members of each project and their access. */
  projectMembers: Array<{ [key: string]: unknown }>
  /** Generated files, without their content. */
  attachments: Array<{ [key: string]: unknown }>
  /** Its analysis rules. */
  customRules: Array<{ [key: string]: unknown }>
  /** Its installations of the GitHub app and its connected repositories, without secrets. */
  installations: Array<{ [key: string]: unknown }>
  /** Reviews of its pull requests. */
  reviewRuns: Array<{ [key: string]: unknown }>
  /** Findings of the reviews, and the feedback on them. */
  reviewFindings: Array<{ [key: string]: unknown }>
  /** Its research runs. */
  researchRuns: Array<{ [key: string]: unknown }>
  /** Sources of the research runs, with their status. */
  researchSources: Array<{ [key: string]: unknown }>
  /** Findings of the research runs, with their quotes. */
  researchFindings: Array<{ [key: string]: unknown }>
  /** The texts of the pages that research runs read. */
  researchPages: Array<{ [key: string]: unknown }>
  /** Its tasks for the agent. */
  tasks: Array<{ [key: string]: unknown }>
  /** Turns of the tasks, with prompts and attachments. */
  taskTurns: Array<{ [key: string]: unknown }>
  /** Model calls and tool calls of the turns, with their results. */
  taskSteps: Array<{ [key: string]: unknown }>
  /** Original files of the tasks, encoded as base64. */
  taskBaseFiles: Array<{ [key: string]: unknown }>
  /** Changes of files by the tasks, in order. */
  taskChanges: Array<{ [key: string]: unknown }>
  /** Tools and conventions that client workspaces of tasks brought. */
  taskClients: Array<{ [key: string]: unknown }>
  /** Pull requests of the tasks. */
  taskPullRequests: Array<{ [key: string]: unknown }>
  /** The audit log. */
  audit: Array<{ [key: string]: unknown }>
}

export type OrgPolicy = {
  orgId: string
  tier: 'individual' | 'team' | 'enterprise'
  /** The tier of the plan, or of the organisation type without a plan. */
  planTier: 'individual' | 'team' | 'enterprise'
  /** Whether the plan or the policy decides the tier. */
  tierFrom: 'plan' | 'policy'
  /** The isolation of the content, or its target during a move. */
  dataIsolation: 'shared' | 'schema' | 'dedicated'
  isolationStatus: 'settled' | 'moving'
  residencyRegion: string | null
  allowedLanes: Array<'open' | 'frontier'>
  /** Null allows every model. */
  allowedModels: string[] | null
  ssoRequired: boolean
  groupRoleMap: { [key: string]: string } | null
  /** Null for an unchanged policy. */
  updatedAt: string | null
}

export type Passkey = {
  id: string
  name: string
  createdAt: string
  lastUsedAt: string | null
  backedUp: boolean
}

export type PasskeyAnswer = {
  response: {
    id: string
    rawId: string
    type: 'public-key'
    clientExtensionResults?: { [key: string]: unknown } | undefined
    response: {
      clientDataJSON: string
      authenticatorData: string
      signature: string
      userHandle: string
    }
  }
}

export type PasskeyCreationOptions = {
  challenge: string
  rp: {
    name: string
    id?: string | undefined
  }
  user: {
    id: string
    name: string
    displayName: string
  }
  pubKeyCredParams: Array<{
    type: 'public-key'
    alg: number
  }>
  timeout?: number | undefined
  attestation?: string | undefined
  excludeCredentials?: Array<{
    id: string
    type: string
    transports?: string[] | undefined
  }> | undefined
  authenticatorSelection?: {
    residentKey?: string | undefined
    requireResidentKey?: boolean | undefined
    userVerification?: string | undefined
  } | undefined
  hints?: string[] | undefined
  extensions?: {
    credProps?: boolean | undefined
  } | undefined
}

export type PasskeyRequestOptions = {
  challenge: string
  rpId?: string | undefined
  timeout?: number | undefined
  userVerification?: string | undefined
}

export type Paybill = {
  /** The number of the paybill. */
  paybill: string | null
  /** The account number of your organisation. Case, spaces and hyphens do not matter. */
  account: string | null
  mode: 'live' | null
}

export type PaymentCase = {
  id: string
  /** `shortfall`: returned money could not be taken from the wallet; `dispute`: the payer’s bank has not decided; `unclear_return`: the provider does not say how much it returned; `unread_message`: a webhook about a return names no known payment; `reconciliation`: the provider’s list differs from our payments; `refund`: the provider does not finish a refund to the payer; `paybill`: a payment by hand in M-Pesa was not credited. */
  kind: 'shortfall' | 'dispute' | 'unclear_return' | 'unread_message' | 'reconciliation' | 'refund' | 'paybill'
  orgId: string | null
  /** The payment. */
  reference: string | null
  /** The missing or disputed amount. */
  amountMinor: bigint | null
  currency: string | null
  summary: string
  /** Of a reconciliation: the difference, the provider’s item and our payment. Of the paybill: the receipt. */
  evidence: { [key: string]: unknown } | null
  openedAt: string
  resolvedAt: string | null
  /** Null where the provider’s decision closed the case. */
  resolvedBy: string | null
  note: string | null
}

export type PaymentDispute = {
  id: string
  /** The payment. */
  reference: string
  /** The number of the dispute at the provider. */
  providerId: string
  orgId: string
  orgName: string
  rail: string
  channel: string
  currency: string
  amountMinor: bigint
  /** `frozen`: undecided; `kept`: won; `taken` and `reversed`: the payer has the money. */
  state: 'frozen' | 'kept' | 'taken' | 'reversed'
  openedAt: string
  decidedAt: string | null
  /** The deadline of the provider for an answer. */
  dueAt: string | null
  answer: 'contested' | 'accepted' | null
  message: string | null
  /** When the provider confirmed it. */
  answeredAt: string | null
}

export type Plan = {
  code: 'free' | 'pro' | 'team' | 'enterprise'
  name: string
  tier: 'individual' | 'team' | 'enterprise'
  interval: 'month' | 'year'
  amountMinor: bigint
  currency: 'NGN' | 'KES' | 'GHS' | 'ZAR' | 'EGP' | 'UGX' | 'XOF' | 'XAF' | 'RWF' | 'TZS' | 'ZMW' | 'GNF' | 'USD'
  includedUsageMinor: bigint
  /** Seats included in the plan. */
  seatAllotment: number
  seatPriceMinor: bigint
}

export type PlatformSetting = {
  key: string
  group: string
  label: string
  description: string
  type: 'boolean' | 'number' | 'enum' | 'string'
  options?: Array<{
    value: string
    label: string
    note: string
  }> | undefined
  min?: number | undefined
  max?: number | undefined
  unit?: 'minor' | 'ms' | 'mb' | 'pct' | 'count' | undefined
  default: boolean | number | string
  /** The effective value. A secret shows only its last four characters. */
  value: boolean | number | string
  /** True if no value is stored. */
  isDefault: boolean
  source: 'operator' | 'env' | 'default'
  /** The environment variable that seeds it. */
  env: string
  superAdminOnly: boolean
  /** Inputs should hide its value; only the last four characters are returned. */
  secret: boolean
  updatedAt: string | null
  updatedByEmail: string | null
}

export type Project = {
  id: string
  name: string
  /** Your access. Owners and admins are always editors. */
  access: 'viewer' | 'editor'
  createdBy: string
  createdAt: string
}

export type ProjectDetail = {
  id: string
  name: string
  /** Your access. Owners and admins are always editors. */
  access: 'viewer' | 'editor'
  createdBy: string
  createdAt: string
  /** Without the owners and admins of the organisation, who see every project. */
  members: ProjectMember[]
  /** Its 100 newest files. */
  attachments: Attachment[]
  /** Pass it as `cursor` to GET /attachments, with `projectId`, to list further files. Null if there are none. */
  attachmentsCursor: string | null
}

export type ProjectMember = {
  userId: string
  email: string
  name: string | null
  access: 'viewer' | 'editor'
  addedAt: string
}

export type Provider = {
  id: string
  name: string
  /** The request format of the provider. */
  wire: 'openai' | 'anthropic' | 'gemini'
  /** Empty for the built-in provider while its setting is empty. */
  baseUrl: string
  region: string | null
  weight: number
  enabled: boolean
  /** The provider of the settings `upstream_base_url` and `upstream_api_key`. */
  builtIn: boolean
  /** Null without a key. */
  keyLast4: string | null
  health: {
    /** `down` after three failures in a row, or when the provider rejects our key. `unknown` until the first call or probe. */
    status: 'healthy' | 'degraded' | 'down' | 'unknown' | 'disabled'
    /** When the status last changed. */
    since: string | null
    /** While the provider is degraded or down. */
    lastError?: string | undefined
  }
}

export type PushSubscription = {
  id: string
  /** The push service of the browser. */
  host: string
  kinds: Array<'paid' | 'task_finished' | 'needs_approval'>
  language: 'en' | 'fr' | 'sw' | 'ar'
  isThisSession: boolean
  createdAt: string
}

export type RailDoctorReport = {
  rail: string
  /** The worst result; `skipped` without an account. */
  status: 'ok' | 'warning' | 'failed' | 'skipped'
  checkedAt: string
  accounts: Array<{
    /** The country; `all` where one account serves every country. */
    account: string
    keys: 'live' | 'test'
    status: 'ok' | 'warning' | 'failed' | 'skipped'
    probes: Array<{
      probe: 'keys' | 'token' | 'unknown_reference' | 'account' | 'signature' | 'callback' | 'registration' | 'clock'
      /** `not_readable`: the provider does not report it; `remedy` says where to look. */
      status: 'ok' | 'warning' | 'failed' | 'skipped' | 'not_applicable' | 'not_readable'
      finding: string
      /** The next step. */
      remedy: string | null
    }>
  }>
}

export type RailPerformance = {
  rail: string
  /** The country; `all` where one account serves every country. */
  account: string
  channel: string
  currency: string
  results: {
    day: RailResults
    month: RailResults
  }
}

export type RailResults = {
  /** How often the account was asked to collect a payment. */
  attempts: number
  accepted: number
  /** Payments that were paid at this account. */
  settled: number
  failed: number
  expired: number
  pending: number
  /** Attempts after which another account was asked. */
  failovers: number
  /** Settled payments of the decided ones; null where none is decided. */
  successPercent: number | null
  /** From the attempt to the settlement. */
  medianSeconds: number | null
  feesMinor: bigint
  /** Fees in hundredths of a percent of the amounts whose fee is known; null where none is known. */
  feeBasisPoints: number | null
}

export type RailRoute = {
  channel: 'card' | 'ussd' | 'opay' | 'palmpay' | 'mpesa' | 'mtn_momo' | 'ozow' | 'fawry' | 'telecel_cash' | 'airteltigo' | 'payshap' | 'flutterwave'
  currency: 'NGN' | 'KES' | 'GHS' | 'ZAR' | 'EGP' | 'UGX' | 'XOF' | 'XAF' | 'RWF' | 'TZS' | 'ZMW' | 'GNF' | 'USD'
  /** In the order in which they are asked now. */
  accounts: Array<{
    rail: string
    /** The country; `all` where one account serves every country. */
    account: string
    keys: 'live' | 'test'
    /** Set by staff; null where none is set. */
    priority: number | null
    /** Comes last, because its circuit is open or it refused our keys a moment ago. */
    isDown: boolean
    /** Settled payments among the decided ones. */
    settled: number
    /** Settled, failed and expired payments that were started in the last 24 hours. */
    decided: number
    /** Fees in hundredths of a percent of the amounts whose fee is known; null where none is known. */
    feeBasisPoints: number | null
  }>
}

export type Reconciliation = {
  id: string
  rail: string
  /** The country; `all` where one account serves every country. */
  account: string
  /** The UTC day of the credits; the first day of a statement. */
  day: string
  /** `list`: the lists of the provider; `status`: a status query per payment, where the provider has no lists; `statement`: an uploaded bank statement. */
  source: 'list' | 'status' | 'statement'
  /** `incomplete`: the list had gaps, so missing payments were checked one by one. */
  state: 'running' | 'complete' | 'incomplete'
  /** How often the list was read. */
  pass: number
  /** The last failure of a running reconciliation. */
  failure: string | null
  startedAt: string
  finishedAt: string | null
  listed: number
  matched: number
  explained: { [key: string]: number }
  /** All that were found, including those with an older case. */
  differences: { [key: string]: number }
  /** New cases: `GET /admin/payment-cases`. */
  opened: number
  /** Older cases that this reconciliation explains. */
  closed: number
  /** Fees of the provider for the listed payments. */
  fees: Array<{
    currency: string
    amountMinor: bigint
  }>
}

export type RejectedTaskChanges = {
  /** Paths that were changed. */
  changed: string[]
  files: TaskFileDiff[]
  /** Parts that are left out because the difference is too large. */
  skipped: Array<{
    path: string
    reason: string
  }>
  /** The last change before this one. Revert to it to undo. */
  before: number
  /** The number of the last change of the workspace. */
  change: number
}

export type RequestRow = {
  id: string
  at: string
  orgId: string
  currency: string
  keyId: string | null
  userId: string | null
  route: string
  model: string
  provider: string | null
  /** Four classes without overlap. */
  tokens: {
    input: number
    cachedInput: number
    cacheWrite: number
    output: number
  }
  costMinor: bigint
  /** The cost without rounding, in minor units, where charges accumulate: `costMinor` is then 0 if earlier charges paid for it. Null for a charge that is rounded up by itself. */
  exactCost: string | null
  /** Time to the first token; null without a stream. */
  ttftMs: number | null
  durationMs: number
  status: number
  /** The error code; null for a success. */
  code: string | null
  requestId: string | null
  /** Explains the charge at GET /wallet/ledger/{id}. Null where the wallet paid nothing, unless the charge accumulates with others. */
  ledgerId: string | null
}

export type RequestSummary = {
  bucket: 'hour' | 'day'
  orgId: string | null
  currency: string
  from: string
  to: string
  buckets: Array<{
    at: string
    requests: number
    errors: number
    costMinor: bigint
    /** Four classes without overlap. */
    tokens: {
      input: number
      cachedInput: number
      cacheWrite: number
      output: number
    }
    /** Of successful calls; null without one. */
    durationMs: {
      p50: number
      p95: number
    } | null
    /** Of successful calls; null without one. */
    ttftMs: {
      p50: number
      p95: number
    } | null
  }>
}

export type ResearchConfig = {
  /** Whether POST /research can start a run now. */
  available: boolean
  /** The missing requirements of the deployment. `budget`: the budget ceiling is too low for any run. */
  missing: Array<'search' | 'storage' | 'inference' | 'budget'>
  /** False if the operator has disabled research. */
  enabled: boolean
  canFetchPages: boolean
  laneMode: 'open' | 'synthesis-frontier' | 'frontier'
  budgetMinor: bigint
  currency: string
  /** The most concurrent runs of your organisation. */
  inFlightMax: number
  /** Its current runs. */
  inFlight: number
  depths: Array<{
    depth: 'quick' | 'standard' | 'exhaustive'
    /** The most search passes. */
    passes: number
    /** The most subquestions. */
    subquestions: number
    /** The most pages that are read. */
    pages: number
    estimateMinor: bigint
    maxMinor: bigint
    leastMinor: bigint
    /** The longest duration of a run. */
    minutesMax: number
  }>
}

export type ResearchRun = {
  id: string
  /** `cancelled` immediately; `finishedAt` is set when the current turn ends. */
  status: 'running' | 'completed' | 'cancelled' | 'failed'
  /** Why it stopped searching. Null while it is running. */
  stopReason: 'completed' | 'budget' | 'wall_clock' | 'cancelled' | 'error' | null
  phase: 'queued' | 'plan' | 'search' | 'read' | 'extract' | 'gap' | 'report' | 'done'
  question: string
  depth: 'quick' | 'standard' | 'exhaustive'
  laneMode: 'open' | 'synthesis-frontier' | 'frontier'
  budgetMinor: bigint
  spentMinor: bigint
  refundedMinor: bigint
  /** The user who started it. */
  userId: string
  projectId: string | null
  conversationId: string | null
  /** The run that it follows. */
  followUpOf: string | null
  /** Set while it waits for you: `answer` (POST /research/{id}/answer) or `approval` (POST /research/{id}/plan). Nothing is held meanwhile. After three days the run is cancelled. */
  needs: 'answer' | 'approval' | null
  errorCode: string | null
  createdAt: string
  finishedAt: string | null
  asideMinor: bigint
  /** Charged model turns. */
  turns: number
  searchWeb: boolean
  repositories: string[]
  /** Null if no clarifying question was asked. */
  clarification: {
    questions: string[]
    answer: string | null
  } | null
  /** Runs that follow this one, oldest first. */
  followUps: Array<{
    id: string
    question: string
    status: 'running' | 'completed' | 'cancelled' | 'failed'
    createdAt: string
  }>
  /** Empty until the plan is made. */
  plan: {
    subquestions: string[]
  }
  sources: Array<{
    /** The number that the report cites. */
    n: number
    url: string
    title: string
    status: 'read' | 'failed' | 'skipped'
    /** Why it was not read. */
    reason: string | null
    /** The search pass that found it. */
    pass: number
    /** The URL after redirects. */
    finalUrl: string | null
    contentType: string | null
    language: string | null
    publishedOn: string | null
    /** Hash of the stored text. */
    sha256: string | null
    characters: number | null
    /** Whether the stored text was cut. */
    isCut: boolean
    fetchedAt: string | null
  }>
  findings: Array<{
    id: string
    claim: string
    /** Occurs verbatim in the text of each source. */
    quote: string
    sources: number[]
    kind: 'fact' | 'number' | 'definition' | 'opinion'
    /** Its index in the plan, from 0. */
    subquestion: number
  }>
  /** Null until the report is published. */
  report: {
    files: Array<{
      id: string
      name: string
      contentType: string
      bytes: number
      url: string
    }>
  } | null
}

export type ResearchSourceText = {
  /** The number that the report cites. */
  n: number
  url: string
  title: string
  status: 'read' | 'failed' | 'skipped'
  /** Why it was not read. */
  reason: string | null
  /** The search pass that found it. */
  pass: number
  /** The URL after redirects. */
  finalUrl: string | null
  contentType: string | null
  language: string | null
  publishedOn: string | null
  /** Hash of the stored text. */
  sha256: string | null
  characters: number | null
  /** Whether the stored text was cut. */
  isCut: boolean
  fetchedAt: string | null
  /** The text that quotes were checked against. */
  text: string
}

export type ResearchStarted = {
  id: string
  status: 'running' | 'completed' | 'cancelled' | 'failed'
  depth: 'quick' | 'standard' | 'exhaustive'
  budgetMinor: bigint
  laneMode: 'open' | 'synthesis-frontier' | 'frontier'
}

export type ResearchSummary = {
  id: string
  /** `cancelled` immediately; `finishedAt` is set when the current turn ends. */
  status: 'running' | 'completed' | 'cancelled' | 'failed'
  /** Why it stopped searching. Null while it is running. */
  stopReason: 'completed' | 'budget' | 'wall_clock' | 'cancelled' | 'error' | null
  phase: 'queued' | 'plan' | 'search' | 'read' | 'extract' | 'gap' | 'report' | 'done'
  question: string
  depth: 'quick' | 'standard' | 'exhaustive'
  laneMode: 'open' | 'synthesis-frontier' | 'frontier'
  budgetMinor: bigint
  spentMinor: bigint
  refundedMinor: bigint
  /** The user who started it. */
  userId: string
  projectId: string | null
  conversationId: string | null
  /** The run that it follows. */
  followUpOf: string | null
  /** Set while it waits for you: `answer` (POST /research/{id}/answer) or `approval` (POST /research/{id}/plan). Nothing is held meanwhile. After three days the run is cancelled. */
  needs: 'answer' | 'approval' | null
  errorCode: string | null
  createdAt: string
  finishedAt: string | null
}

export type ReviewFinding = {
  ruleId: string
  title: string
  cwe: string
  severity: 'error' | 'warn' | 'note'
  confidence: 'high' | 'medium' | 'low'
  path: string
  line: number
  startLine: number
  endLine: number
  message: string
  fix: string
  /** The source line, with secrets masked. */
  snippet: string
  /** The data flow from untrusted input to the finding. */
  flow: Array<{
    path: string
    line: number
    what: string
  }>
  /** Identifies the same finding after lines have moved. */
  fingerprint: string
  id: string
  runId: string
  repo: string
  pr: number
  headSha: string
  status: 'unadjudicated' | 'confirmed' | 'refuted' | 'unproven'
  suggestion: {
    startLine: number
    endLine: number
    replacement: string
    by: 'rule' | 'model'
    command: string
  } | null
  adjudicatedBy: 'person' | 'model' | 'history' | null
  /** The name of the person at the code host, for a verdict in a reply. */
  adjudicatedLogin: string | null
  note: string | null
  evidence: { [key: string]: unknown } | null
  creditedMinor: bigint
  createdAt: string
  adjudicatedAt: string | null
}

export type ReviewPrecision = {
  scope: 'org' | 'all'
  days: number
  findings: number
  confirmed: number
  refuted: number
  unadjudicated: number
  unproven: number
  /** Refuted findings divided by confirmed and refuted findings; null without verdicts. */
  falsePositiveRate: number | null
  noisiestRules: Array<{
    ruleId: string
    confirmed: number
    refuted: number
    falsePositiveRate: number
  }>
}

export type ReviewRun = {
  id: string
  installationId: string
  repo: string
  pr: number
  headSha: string
  title: string
  isFork: boolean
  status: 'queued' | 'running' | 'completed' | 'superseded' | 'failed' | 'skipped'
  conclusion: 'success' | 'neutral' | 'failure' | null
  policy: 'off' | 'errors' | 'strict'
  /** Features that were unavailable because a permission is missing. */
  degraded: string[]
  /** Why the review is incomplete; null when it is complete. */
  reason: string | null
  publishedAs: 'inline' | 'annotations' | 'comment' | 'stored' | null
  files: number
  notReviewed: Array<{
    path: string
    reason: string
  }>
  notes: string[]
  counts: { [key: string]: number }
  costMinor: bigint
  turns: number
  validation: { [key: string]: unknown } | null
  createdAt: string
  startedAt: string | null
  finishedAt: string | null
}

export type RuleList = {
  rules: Array<{
    id: string
    title: string
    cwe: string
    severity: 'error' | 'warn' | 'note'
    confidence: 'high' | 'medium' | 'low'
    /** Empty for rules that apply to any text. */
    languages: string[]
    message: string
    fix: string
  }>
}

export type RuleTestReport = {
  findings: ScanFinding[]
  skipped: Array<{
    path: string
    reason: string
  }>
  files: number
  /** Findings that were left out: more than 50 in a file or 500 in total. */
  omitted: number
}

export type ScanFinding = {
  ruleId: string
  title: string
  cwe: string
  severity: 'error' | 'warn' | 'note'
  confidence: 'high' | 'medium' | 'low'
  path: string
  line: number
  startLine: number
  endLine: number
  message: string
  fix: string
  /** The source line, with secrets masked. */
  snippet: string
  /** The data flow from untrusted input to the finding. */
  flow: Array<{
    path: string
    line: number
    what: string
  }>
  /** Identifies the same finding after lines have moved. */
  fingerprint: string
}

export type ScanReport = {
  findings: ScanFinding[]
  /** Findings that a comment with a reason suppresses. */
  suppressed: Array<{
    ruleId: string
    path: string
    line: number
    reason: string
  }>
  skipped: Array<{
    path: string
    reason: string
  }>
  /** Changed files that the diff shows only in part. The scan can miss faults in them. */
  partial: string[]
  summary: {
    files: number
    lines: number
    findings: number
    bySeverity: {
      error: number
      warn: number
      note: number
    }
    /** Findings that were left out: more than 50 in a file or 2,000 in total. */
    omitted: number
  }
}

export type ScheduledChange = {
  planCode: 'free' | 'pro' | 'team' | 'enterprise'
  interval: 'month' | 'year'
  effectiveAt: string
}

export type ScimProvisioning = {
  baseUrl: string
  /** Users can be created for addresses of these domains. Staff verify domains. */
  domains: string[]
  tokens: ScimToken[]
}

export type ScimToken = {
  id: string
  name: string
  prefix: string
  createdBy: string
  createdAt: string
  lastUsedAt: string | null
}

export type SearchReply = {
  hits: Array<{
    path: string
    startLine: number
    endLine: number
    content: string
    /** The name of the definition; empty if there is none. */
    symbol: string
    /** From 0 to 1. Comparable only within one reply. */
    score: number
    why: {
      /** The BM25 score; 0 without a matching term. */
      lexical: number
      /** The cosine similarity; 0 if the chunk is not among the nearest. */
      vector: number
      /** From 0 to 1: whether similar commits changed the file. */
      history: number
    }
  }>
  /** lexical: by terms only. */
  mode: 'vector' | 'lexical'
  rewrite?: {
    status: 'used' | 'not_used' | 'preview'
    reason: 'no_hits' | 'no_model' | 'model_failed' | 'unusable_answer' | null
    words: string[]
    maxCostMinor: bigint
    costMinor: bigint
    balanceMinor: bigint
  } | undefined
}

export type SecretRotation = {
  /** Whether this process has a previous secret. */
  hasPrevious: boolean
  /** Since when the secret is current. Null until the first pass over the stored data. */
  begunAt: unknown
  /** The end of the last complete pass. */
  checkedAt: unknown
  /** Texts that were sealed again since the secret is current. */
  resealed: unknown
  /** Of these, in the last complete pass. */
  lastResealed: unknown
  /** Texts that no secret opens, with the first 20 ids. They are left as they are. */
  unreadable: Array<{
    name: string
    count: number
    ids: string[]
  }>
  /** Whether the previous secret may be removed. */
  removable: boolean
  /** When it may be removed at the earliest: seven days after the rotation, for what browsers and waiting mails carry. */
  removableAt: unknown
}

export type SignedIn = {
  ok: true
  userId: string
  orgId: string
}

export type SourceRefund = {
  id: string
  amountMinor: bigint
  reason: string
  /** `unclear`: staff look into it; `done`: the payer has the money; `failed`: the wallet has it again. */
  state: 'requested' | 'sent' | 'unclear' | 'done' | 'failed'
  /** The number of the refund at the provider. */
  providerId: string | null
  /** The last message of the provider. */
  detail: string | null
  createdAt: string
  sentAt: string | null
  decidedAt: string | null
}

export type SsoConnection = {
  id: string
  type: 'oidc' | 'saml'
  enabled: boolean
  issuer: string | null
  clientId: string | null
  hasClientSecret: boolean
  entityId: string | null
  ssoUrl: string | null
  certificate: string | null
  /** The redirect URL to register at the provider. */
  redirectUri: string
  createdAt: string
  updatedAt: string
}

export type SsoDomain = {
  domain: string
  verified: boolean
  txtRecord: string
  /** DNS names to publish the record at. One is enough. */
  txtNames: string[]
  /** The DNS name where this call found the record. */
  foundAt: string | null
  problem: 'record_missing' | 'dns_unreachable' | null
  createdAt: string
  verifiedAt: string | null
}

export type StartedTaskTurn = {
  turnId: string
  model: string
  maxMinor: bigint
  /** The usual cost: work of the last 30 days on the same model with a prompt of similar size. Null where too little is comparable. */
  usuallyMinor: UsualCost | null
}

export type Subscription = {
  id: string
  planCode: 'free' | 'pro' | 'team' | 'enterprise'
  /** `past_due`: a renewal is unpaid. `incomplete`: the first payment is missing. */
  status: 'active' | 'past_due' | 'canceled' | 'incomplete'
  interval: 'month' | 'year'
  seats: number
  seatsOccupied: number
  currentPeriodStart: string
  currentPeriodEnd: string
  cancelAtPeriodEnd: boolean
  /** The downgrade at the end of the period. */
  scheduledChange: ScheduledChange | null
  currency: 'NGN' | 'KES' | 'GHS' | 'ZAR' | 'EGP' | 'UGX' | 'XOF' | 'XAF' | 'RWF' | 'TZS' | 'ZMW' | 'GNF' | 'USD'
  /** The rate card it was sold with. */
  rateCardVersion: string
  /** The plan is comped and free of charge. */
  comped: boolean
  nextAmountMinor: bigint
  /** The invoice to pay while the subscription is past due. */
  openInvoiceId: string | null
  /** The next scheduled attempt to charge the cards. */
  nextAttemptAt: string | null
  /** A change waits for its payment. */
  changeInProgress: boolean
}

export type SubscriptionPreview = {
  kind: 'start' | 'upgrade' | 'downgrade' | 'seats' | 'cleared'
  currency: 'NGN' | 'KES' | 'GHS' | 'ZAR' | 'EGP' | 'UGX' | 'XOF' | 'XAF' | 'RWF' | 'TZS' | 'ZMW' | 'GNF' | 'USD'
  chargeNowMinor: bigint
  creditMinor: bigint
  walletCreditMinor: bigint
  lines: Array<{
    description: string
    quantity: number
    amountMinor: bigint
  }>
  effectiveAt: string
  nextAmountMinor: bigint
  nextAt: string
  /** The number of seats after the change. */
  seats: number
  /** The quoted charge is valid until then. Null for a first subscription, which has the price of `GET /plans`, and for a comped plan. */
  expiresAt: string | null
}

export type Task = {
  id: string
  userId: string
  title: string
  /** `waiting`: for results of your tools, or for an approval. */
  status: 'idle' | 'queued' | 'running' | 'waiting'
  workspace: TaskWorkspace
  model: string | null
  budgetMinor: bigint | null
  spentMinor: bigint
  turnCount: number
  archived: boolean
  createdAt: string
  updatedAt: string
  instructions: string | null
  turns: TaskTurn[]
  /** The calls that an open turn waits for. */
  needs: Array<{
    turnId: string
    /** Also the `approvalId` of an approval. */
    callId: string
    kind: 'tool' | 'approval'
    tool: string
    input: unknown
  }>
  pullRequest: {
    url: string
    number: number
    branch: string
    /** From the last webhook of GitHub. */
    state: 'draft' | 'open' | 'merged' | 'closed'
  } | null
  /** The number of the last event. */
  lastSeq: number
}

export type TaskClientTool = {
  name: string
  description: string
  /** A JSON Schema of the arguments: `type` is `object`, at most 10 levels and 16 kB, without `$ref`. The model gets the part of it that all providers accept, and you check the arguments. */
  inputSchema: { [key: string]: unknown }
  /** True if the tool changes nothing. Only such tools are offered in plan mode. Default: false. */
  isReadOnly?: boolean | undefined
}

export type TaskDiff = {
  added: number
  removed: number
  /** The number of the last change of the workspace. */
  change: number
  files: TaskFileDiff[]
  /** Parts that are left out because the difference is too large. */
  skipped: Array<{
    path: string
    reason: string
  }>
}

export type TaskEvent = {
  /** The number of the event within its task, from 1. */
  seq: number
  at: string
  /** Null for a fact between turns. */
  turnId: string | null
  kind: 'message'
  /** The number of the step within its turn. */
  step: number
  /** A higher one replaces the text of the step. */
  attempt: number
  /** A piece to append to the earlier ones. */
  text: string
} | {
  /** The number of the event within its task, from 1. */
  seq: number
  at: string
  /** Null for a fact between turns. */
  turnId: string | null
  kind: 'reasoning'
  /** The number of the step within its turn. */
  step: number
  /** A higher one replaces the text of the step. */
  attempt: number
  /** A piece to append to the earlier ones. */
  text: string
} | {
  /** The number of the event within its task, from 1. */
  seq: number
  at: string
  /** Null for a fact between turns. */
  turnId: string | null
  kind: 'tool'
  /** The number of the step within its turn. */
  step: number
  callId: string
  tool: string
  /** The arguments of the tool. Long texts are cut. */
  input: unknown
} | {
  /** The number of the event within its task, from 1. */
  seq: number
  at: string
  /** Null for a fact between turns. */
  turnId: string | null
  kind: 'tool_result'
  /** The number of the step within its turn. */
  step: number
  callId: string
  tool: string
  ok: boolean
  output: string
  /** The output is shortened. `GET /tasks/{id}/tool-results/{callId}` returns the whole output. */
  isTruncated: boolean
} | {
  /** The number of the event within its task, from 1. */
  seq: number
  at: string
  /** Null for a fact between turns. */
  turnId: string | null
  kind: 'change'
  step: number | null
  path: string
  action: 'create' | 'update' | 'delete'
  /** Lines. */
  added: number
  /** Lines. */
  removed: number
} | {
  /** The number of the event within its task, from 1. */
  seq: number
  at: string
  /** Null for a fact between turns. */
  turnId: string | null
  kind: 'cost'
  /** The number of the step within its turn. */
  step: number
  costMinor: bigint
  spentMinor: bigint
  /** The amount that the member can still spend. Older events do not have it. */
  balanceMinor?: bigint | undefined
  model: string
  tokens: number
} | {
  /** The number of the event within its task, from 1. */
  seq: number
  at: string
  /** Null for a fact between turns. */
  turnId: string | null
  kind: 'needs_tool'
  /** The number of the step within its turn. */
  step: number
  callId: string
  tool: string
  /** The arguments of the tool. */
  input: unknown
  /** The input is too large for an event and null here. Read it at `GET /tasks/{id}/tool-results/{callId}`. */
  isInputOmitted?: true | undefined
} | {
  /** The number of the event within its task, from 1. */
  seq: number
  at: string
  /** Null for a fact between turns. */
  turnId: string | null
  kind: 'needs_approval'
  /** The number of the step within its turn. */
  step: number
  callId: string
  tool: string
  approvalId: string
  /** The arguments of the tool. */
  input: unknown
  /** The input is too large for an event and null here. Read it at `GET /tasks/{id}/tool-results/{callId}`. */
  isInputOmitted?: true | undefined
  /** A sentence for the person who decides. */
  reason: string
} | {
  /** The number of the event within its task, from 1. */
  seq: number
  at: string
  /** Null for a fact between turns. */
  turnId: string | null
  kind: 'status'
  status: 'queued' | 'running' | 'waiting' | 'finished'
  /** `compacted`: a summary replaced the start of the transcript. `retrying`: a failed step is repeated. `preparing`: dependencies are installed. `verifying`: the tests run. `reverted`: the files were restored as the turn in `detail` left them, or after an earlier change. `rejected`: the caller rejected changes; `change` events follow. `pull_request`: `detail` is the new state of the pull request. For these three, `turnId` is null. */
  note?: 'compacted' | 'retrying' | 'verifying' | 'preparing' | 'reverted' | 'rejected' | 'pull_request' | undefined
  detail?: string | undefined
  /** Present when a turn has finished, as are the fields below. */
  stopReason?: 'completed' | 'stopped' | 'budget_reached' | 'step_limit' | 'no_progress' | 'declined' | 'too_long' | 'abandoned' | 'workspace_unavailable' | 'upstream_failed' | 'policy' | 'failed' | undefined
  summary?: string | null | undefined
  verification?: TaskVerification | null | undefined
  spentMinor?: bigint | undefined
  withheld?: Array<{
    path: string
    line?: number | undefined
    reason: string
  }> | undefined
}

export type TaskFileDiff = {
  path: string
  action: 'create' | 'update' | 'delete'
  added: number
  removed: number
  patch: string
  isBinary: boolean
  isWhole: boolean
  /** Of the current content. Null for a deleted file and for client workspaces. */
  sha256: string | null
}

export type TaskFiles = {
  entries: Array<{
    name: string
    kind: 'file' | 'folder'
    /** Of a folder: all its files together. */
    bytes: number
    /** The number of files that the task changed. */
    changed: number
  }>
  /** False if the folder has more than 2,000 entries. */
  isWhole: boolean
}

export type TaskPatch = {
  title?: string | undefined
  archived?: boolean | undefined
  model?: string | null | undefined
  budgetMinor?: bigint | null | undefined
  instructions?: string | null | undefined
  /** Of a client workspace: replaces all its tools. The next turn uses them. */
  tools?: TaskClientTool[] | undefined
  /** Of a client workspace: replaces its conventions. The next turn uses them. */
  conventions?: {
    path: string
    text: string
  } | null | undefined
}

export type TaskRejection = {
  /** The turn of the difference. Default: all changes of the task. */
  from?: string | undefined
  files: Array<{
    path: string
    /** Of the content that you saw, from the difference. Null for a deleted file. */
    sha256: string | null
    /** The numbers in the header of each hunk in the patch. Default: the whole file. */
    hunks?: Array<{
      oldStart: number
      newStart: number
    }> | undefined
  }>
}

export type TaskSummary = {
  id: string
  userId: string
  title: string
  /** `waiting`: for results of your tools, or for an approval. */
  status: 'idle' | 'queued' | 'running' | 'waiting'
  workspace: TaskWorkspace
  model: string | null
  budgetMinor: bigint | null
  spentMinor: bigint
  turnCount: number
  archived: boolean
  createdAt: string
  updatedAt: string
  lastTurn: {
    status: 'queued' | 'running' | 'waiting' | 'finished'
    stopReason: 'completed' | 'stopped' | 'budget_reached' | 'step_limit' | 'no_progress' | 'declined' | 'too_long' | 'abandoned' | 'workspace_unavailable' | 'upstream_failed' | 'policy' | 'failed' | null
    verified: boolean
    /** The first 300 characters. */
    summary: string | null
  } | null
}

export type TaskToolResults = {
  results: Array<{
    callId: string
    ok: boolean
    output?: string | undefined
    /** Instead of `output`: an earlier call of this task, whose result this one resembles. */
    base?: string | undefined
    /** With `base`: of the whole output as UTF-8. */
    sha256?: string | undefined
    /** With `base`: the output in order. A text is new. `[from, count]` are lines of the base, from 0, with their line breaks. `[from, count, number, width]` are such lines that begin with a number and `| `, with consecutive numbers from `number` instead, padded to `width`. Empty: the output is the same. `lineDelta` of the SDK makes it. */
    delta?: Array<string | number[]> | undefined
    /** The changes of the call, so that other devices can show it. */
    changes?: Array<{
      path: string
      /** A unified diff. */
      patch: string
    }> | undefined
  }>
}

export type TaskTurn = {
  id: string
  ordinal: number
  userId: string
  prompt: string
  attachments: Array<{
    name: string
  }>
  model: string
  mode: 'work' | 'plan'
  status: 'queued' | 'running' | 'waiting' | 'finished'
  stopReason: 'completed' | 'stopped' | 'budget_reached' | 'step_limit' | 'no_progress' | 'declined' | 'too_long' | 'abandoned' | 'workspace_unavailable' | 'upstream_failed' | 'policy' | 'failed' | null
  errorCode: string | null
  /** The last words of the model. */
  summary: string | null
  verified: boolean
  verification: TaskVerification | null
  withheld: Array<{
    path: string
    line?: number | undefined
    reason: string
  }>
  maxMinor: bigint
  /** The number of files that the turn changed. */
  changedFiles: number
  /** The number of the last event before the turn: follow the turn with `after`. */
  afterSeq: number
  spentMinor: bigint
  refundedMinor: bigint
  createdAt: string
  finishedAt: string | null
}

export type TaskTurnQuote = {
  model: string
  maxMinor: bigint
  /** The usual cost: work of the last 30 days on the same model with a prompt of similar size. Null where too little is comparable. */
  usuallyMinor: UsualCost | null
  leastMinor: bigint
  balanceMinor: bigint
  availableMinor: bigint
  affordable: boolean
}

export type TaskVerification = {
  verified: boolean
  command: string | null
  commandFrom: 'caller' | 'detected' | null
  reason: 'failed_before_passes_now' | 'new_test_passes' | 'passed_before' | 'still_fails' | 'tests_changed' | 'hard_coded' | 'flaky' | 'no_tests_ran' | 'no_changes' | 'no_command' | 'no_sandbox' | 'dependencies_failed' | 'sandbox_failed' | 'timed_out' | 'stopped'
  detail?: string | undefined
  before: {
    exitCode: number | null
    passed: number
    failed: number
    durationMs: number
    isEnded: boolean
  } | null
  after: {
    exitCode: number | null
    passed: number
    failed: number
    durationMs: number
    isEnded: boolean
  } | null
  excerpt: string
  dependencies: {
    state: 'none' | 'ready' | 'failed'
    tool?: string | undefined
    isCached?: boolean | undefined
    reason?: string | undefined
  }
}

export type TaskWorkspace = {
  kind: 'files'
} | {
  kind: 'repository'
  installationId: string
  repository: string
  ref: string
  commit: string
  /** Files that are not part of the workspace: submodules, LFS files, links, and files that are too large. */
  skipped: Array<{
    path: string
    reason: string
  }>
} | {
  kind: 'client'
  name: string
}

export type Team = {
  orgId: string
  name: string
  type: 'individual' | 'team'
  role: 'owner' | 'admin' | 'member'
  currency: 'NGN' | 'KES' | 'GHS' | 'ZAR' | 'EGP' | 'UGX' | 'XOF' | 'XAF' | 'RWF' | 'TZS' | 'ZMW' | 'GNF' | 'USD'
  seatAllotment: number
}

export type Thread = {
  id: string
  /** Empty until the first question. */
  title: string
  mode: 'general' | 'code'
  archived: boolean
  createdAt: string
  updatedAt: string
  /** An answer is running. It is listed after it finishes. */
  busy: boolean
}

export type ThreadDetail = {
  id: string
  /** Empty until the first question. */
  title: string
  mode: 'general' | 'code'
  archived: boolean
  createdAt: string
  updatedAt: string
  /** An answer is running. It is listed after it finishes. */
  busy: boolean
  /** The newest messages, oldest first: at most 200, fewer when they are long. */
  messages: ChatMessage[]
  /** Send it as `cursor` to read older messages. Null when there are none. */
  messagesCursor: string | null
}

export type Topup = {
  reference: string
  /** `review`: the paid amount differs from the expected one, and staff look into it. */
  status: 'pending' | 'settled' | 'failed' | 'expired' | 'review'
  channel: 'card' | 'ussd' | 'opay' | 'palmpay' | 'mpesa' | 'mtn_momo' | 'ozow' | 'fawry' | 'telecel_cash' | 'airteltigo' | 'payshap' | 'flutterwave'
  mode: 'live' | 'mock'
  amountMinor: bigint
  currency: string
  reason: string | null
  createdAt: string
  expiresAt: string
  settledAt: string | null
  /** Charged to a stored card because the balance was low. */
  automatic: boolean
}

export type TopupAttempt = {
  reference: string
  amountMinor: bigint
  startedAt: string
  /** The page of the bank, when it asks the card holder to confirm. */
  authorizationUrl: string | null
}

export type TopupRequest = {
  amountMinor: bigint
  channel?: 'card' | 'ussd' | 'opay' | 'palmpay' | 'mpesa' | 'mtn_momo' | 'ozow' | 'fawry' | 'telecel_cash' | 'airteltigo' | 'payshap' | 'flutterwave' | undefined
  /** For mobile money: E.164, or the national format in the country of your currency. */
  phone?: string | undefined
  /** Address for the receipt. Default: your own. */
  email?: string | undefined
  /** Must be the currency of your organisation. Send it to have it checked. */
  currency?: string | undefined
}

export type TopupResult = {
  reference: string
  mode: 'live' | 'mock'
  /** The page to send the payer to. Present when the channel has one, like the next two. */
  authorizationUrl?: string | undefined
  /** The USSD code for the payer to dial. */
  ussdCode?: string | undefined
  /** Instructions to show to the payer. */
  displayText?: string | undefined
  /** The payer receives a code; submit it with POST /wallet/topups/{reference}/otp. */
  otpRequired?: true | undefined
  /** `review`: the paid amount differs from the expected one, and staff look into it. */
  status: 'pending' | 'settled' | 'failed' | 'expired' | 'review'
  channel: 'card' | 'ussd' | 'opay' | 'palmpay' | 'mpesa' | 'mtn_momo' | 'ozow' | 'fawry' | 'telecel_cash' | 'airteltigo' | 'payshap' | 'flutterwave'
  amountMinor: bigint
  currency: string
  expiresAt: string
}

export type UsualCost = {
  low: number
  high: number
}

export type VcsInstallation = {
  id: string
  /** The code host. */
  forge: 'github' | 'gitlab' | 'bitbucket'
  /** Of a connection; null for the GitHub app. */
  repository: string | null
  /** The id of the installation on GitHub; of a connection, a number of ours. */
  installationId: number
  account: string
  accountType: string
  status: 'active' | 'suspended' | 'removed'
  repositorySelection: 'all' | 'selected'
  /** Which findings make the check fail: none (off), errors of high confidence (errors), or all errors and warnings (strict). */
  blockingPolicy: 'off' | 'errors' | 'strict'
  inlineComments: boolean
  validationEnabled: boolean
  /** Whether the bot answers comments. */
  threadReplies: boolean
  createdAt: string
  updatedAt: string
  removedAt: string | null
}

export type Wallet = {
  balanceMinor: bigint
  heldMinor: bigint
  availableMinor: bigint
  currency: 'NGN' | 'KES' | 'GHS' | 'ZAR' | 'EGP' | 'UGX' | 'XOF' | 'XAF' | 'RWF' | 'TZS' | 'ZMW' | 'GNF' | 'USD'
  includedRemainingMinor: bigint
  trialMinor: bigint
  /** Null without trial credit. */
  trialExpiresAt: string | null
}

export type WebhookDelivery = {
  id: string
  endpointId: string
  /** The `webhook-id`, the same at every attempt and replay. */
  eventId: string
  type: string
  status: 'pending' | 'delivered' | 'failed'
  attempts: number
  /** The HTTP status of the last attempt; null without a reply. */
  lastStatus: number | null
  lastError: string | null
  nextAttemptAt: string | null
  createdAt: string
}

export type WebhookEndpoint = {
  id: string
  url: string
  events: string[] | null
  description: string | null
  enabled: boolean
  /** `gone`: it replied 410. `failing`: it failed for five days. */
  disabledReason: 'gone' | 'failing' | null
  failingSince: string | null
  /** Until then events are also signed with the previous secret. */
  previousUntil: string | null
  createdAt: string
  updatedAt: string
}

export type SystemHealthReply = {
  ok: boolean
}

export type SystemReadyReply = {
  ready: true
}

export type SystemVersionReply = BuildVersion

export type SystemOpenapiReply = unknown

export type TransparencyGetReply = {
  /** The name of the log. */
  origin: string
  /** The Ed25519 key of the log as in c2sp.org/signed-note: name, hash of the key, key. */
  publicKey: string
  /** The number of entries. */
  size: number
  /** SHA-256 in hexadecimal. */
  root: string
  /** A signed note as in c2sp.org/tlog-checkpoint: name, size and root of the log, and the signature. */
  checkpoint: string
}

export type TransparencyWalletReply = {
  /** The name of your wallet in the log. Only you know that it is yours. */
  name: string
  /** The head of your chain that the entry publishes. */
  entry: {
    seq: number
    /** SHA-256 in hexadecimal. */
    hash: string
  }
  /** The number of the entry in the log, from 0. */
  index: number
  /** The text of the entry. */
  leaf: string
  /** The proof that the log includes the entry, as in RFC 6962. */
  inclusion: string[]
  /** A signed note as in c2sp.org/tlog-checkpoint: name, size and root of the log, and the signature. */
  checkpoint: string
  /** The Ed25519 key of the log as in c2sp.org/signed-note: name, hash of the key, key. */
  publicKey: string
}

export type AuditListQuery = {
  /** Every organisation; platform staff only. */
  scope?: 'all' | undefined
  /** Your own organisation by default; another one is for platform staff only. */
  orgId?: string | undefined
  /** An action such as settings.set, or a prefix such as settings. */
  action?: string | undefined
  /** A user id or an email address. */
  actor?: string | undefined
  from?: string | undefined
  /** Exclusive. */
  to?: string | undefined
  limit?: number | undefined
  cursor?: string | undefined
}

export type AuditListReply = {
  entries: Array<{
    id: string
    /** Null for entries of the platform chain. */
    orgId: string | null
    actorUserId: string | null
    actorEmail: string | null
    actorKind: 'user' | 'key' | 'operator' | 'system'
    action: string
    target: string | null
    metadata: { [key: string]: unknown }
    ip: string | null
    createdAt: string
    seq: number
    /** SHA-256 in hexadecimal. */
    hash: string
    /** SHA-256 in hexadecimal. */
    prevHash: string
  }>
  nextCursor: string | null
}

export type AuditVerifyQuery = {
  /** Every organisation; platform staff only. */
  scope?: 'all' | undefined
  /** Your own organisation by default; another one is for platform staff only. */
  orgId?: string | undefined
  cursor?: string | undefined
}

export type AuditVerifyReply = {
  /** Nothing checked is broken or unproven. */
  ok: boolean
  /** Number of valid entries. */
  entries: number
  /** The head of your chain. Store it to prove later that nothing was removed. */
  head: {
    seq: number
    /** SHA-256 in hexadecimal. */
    hash: string
  } | null
  /** The anchor of your chain outside the database, which the chain was compared with. Null until the end of the chain is reached. */
  anchor: {
    state: 'none' | 'kept' | 'lost' | 'unreadable'
    seq: number | null
    hash: string | null
    at: string | null
  } | null
  broken: {
    seq: number
    id: string | null
    reason: 'missing' | 'edited' | 'unexpected' | 'rewritten'
    orgId: string | null
  } | null
  /** Valid chains whose anchor outside the database is lost or unreadable. The first 20 of this call. */
  unproven: Array<{
    orgId: string | null
    state: 'lost' | 'unreadable'
  }>
  nextCursor: string | null
}

export type AuditAnchorsAcceptBody = {
  /** Null for the platform chain. */
  orgId: string | null
  reason: string
}

export type AuditAnchorsAcceptReply = {
  ok: true
  seq: number
  /** SHA-256 in hexadecimal. */
  hash: string
}

export type AuthConfigReply = {
  mode: 'native' | 'dev' | 'none'
  methods: Array<'password' | 'magic_link' | 'totp' | 'oidc' | 'saml' | 'github' | 'dev'>
  signupsEnabled: boolean
  passwordMinLength: 8
  appearance: {
    skin: string
    mode: string
    layout: string
  }
}

export type AuthDevLoginBody = {
  email: string
}

export type AuthDevLoginReply = SignedIn

export type AuthLogoutReply = Ok

export type MeUpdateBody = {
  name?: string | undefined
  /** The language of mails to you. Replies of the API follow `Accept-Language`. */
  language?: 'en' | 'fr' | 'sw' | 'ar' | undefined
}

export type MeUpdateReply = Ok

export type MeGetReply = Me

export type MeSessionsListReply = {
  sessions: Array<{
    id: string
    createdAt: string
    lastSeenAt: string
    expiresAt: string
    ip: string
    userAgent: string
    /** The sign-in method. */
    method: string
    /** Whether this is the session of the request. */
    current: boolean
  }>
}

export type MeSessionsEndOthersReply = {
  ok: true
  ended: number
}

export type MeSessionsEndReply = Ok

export type MeOrgsReply = {
  orgs: Array<{
    orgId: string
    name: string
    type: string
    role: 'owner' | 'admin' | 'member'
    /** Whether this is the active organisation of the session. */
    active: boolean
    /** Whether members must sign in with its identity provider. */
    ssoRequired: boolean
    /** Whether sign-in with GitHub is allowed instead of single sign-on. */
    githubAllowed: boolean
  }>
}

export type MeSwitchOrgBody = {
  orgId: string
}

export type MeSwitchOrgReply = {
  ok: true
  orgId: string
}

export type KeysListQuery = {
  limit?: number | undefined
  cursor?: string | undefined
}

export type KeysListReply = {
  keys: ApiKey[]
  nextCursor: string | null
}

export type KeysCreateBody = {
  name: string
  /** Default: none. */
  scopes?: Array<'agent:run' | 'wallet:read' | 'keys:manage' | 'metrics:read'> | undefined
  expiresInDays?: number | undefined
  expiresAt?: string | undefined
  /** The most that the key and the keys it creates may spend per `budgetPeriod`. */
  budgetMinor?: bigint | null | undefined
  /** Default: total. Days, weeks from Monday and calendar months are in UTC. */
  budgetPeriod?: 'total' | 'day' | 'week' | 'month' | undefined
  /** The models that the key may use: ids, or patterns that end in `*`. Null allows every model. */
  models?: string[] | null | undefined
  requestsPerMinute?: number | null | undefined
  /** Counted when work ends: the call that reaches the limit is completed, and later calls wait for the next minute. */
  tokensPerMinute?: number | null | undefined
  /** The addresses that the key may be used from: IPv4 and IPv6 addresses and CIDRs. Null allows all. */
  allowedAddresses?: string[] | null | undefined
}

export type KeysCreateReply = {
  id: string
  /** The key itself. It is shown only once. */
  key: string
  prefix: string
  name: string
  scopes: string[]
  expiresAt: string | null
  budgetMinor: bigint | null
  budgetPeriod: 'total' | 'day' | 'week' | 'month'
  models: string[] | null
  requestsPerMinute: number | null
  tokensPerMinute: number | null
  allowedAddresses: string[] | null
  spentMinor: bigint
  /** The budget without spent and reserved money; null without a budget. */
  budgetLeftMinor: bigint | null
}

export type KeysChangeBody = {
  name?: string | undefined
  /** The most that the key and the keys it creates may spend per `budgetPeriod`. */
  budgetMinor?: bigint | null | undefined
  /** Default: total. Days, weeks from Monday and calendar months are in UTC. */
  budgetPeriod?: 'total' | 'day' | 'week' | 'month' | undefined
  /** The models that the key may use: ids, or patterns that end in `*`. Null allows every model. */
  models?: string[] | null | undefined
  requestsPerMinute?: number | null | undefined
  /** Counted when work ends: the call that reaches the limit is completed, and later calls wait for the next minute. */
  tokensPerMinute?: number | null | undefined
  /** The addresses that the key may be used from: IPv4 and IPv6 addresses and CIDRs. Null allows all. */
  allowedAddresses?: string[] | null | undefined
}

export type KeysChangeReply = ApiKey

export type KeysRevokeReply = Ok

export type AuthRegisterBody = {
  email: string
  password: string
  currency?: 'NGN' | 'KES' | 'GHS' | 'ZAR' | 'EGP' | 'UGX' | 'XOF' | 'XAF' | 'RWF' | 'TZS' | 'ZMW' | 'GNF' | 'USD' | undefined
  name?: string | undefined
}

export type AuthRegisterReply = {
  ok: true
  verificationRequired: true
}

export type AuthVerifyLinkQuery = {
  token: string
}

export type AuthVerifyLinkReply = {
  ok: true
} | {
  ok: false
  confirm: true
}

export type AuthVerifyBody = {
  token: string
}

export type AuthVerifyReply = {
  ok: true
  /** Whether this browser is signed in now. Only the browser that registered is; others sign in. */
  signedIn: boolean
  userId?: string | undefined
  orgId?: string | undefined
}

export type AuthVerifyResendBody = {
  email: string
}

export type AuthVerifyResendReply = Ok

export type AuthLoginBody = {
  email: string
  password: string
}

export type AuthLoginReply = SignedIn | {
  mfaRequired: true
  challenge: string
  expiresAt: string
}

export type AuthPasswordForgotBody = {
  email: string
}

export type AuthPasswordForgotReply = Ok

export type AuthPasswordResetBody = {
  token: string
  password: string
}

export type AuthPasswordResetReply = Ok

export type AuthPasswordChangeBody = {
  currentPassword: string
  newPassword: string
}

export type AuthPasswordChangeReply = Ok

export type AuthMagicRequestBody = {
  email: string
}

export type AuthMagicRequestReply = Ok

export type AuthMagicOpenQuery = {
  token: string
}

export type AuthMagicOpenReply = SignedIn | {
  mfaRequired: true
  challenge: string
  expiresAt: string
} | {
  ok: false
  confirm: true
}

export type AuthMagicConsumeBody = {
  token: string
}

export type AuthMagicConsumeReply = SignedIn | {
  mfaRequired: true
  challenge: string
  expiresAt: string
}

export type AuthMfaGetReply = MfaStatus

export type AuthMfaEnrollReply = MfaEnrolment

export type AuthMfaVerifyBody = {
  code: string
}

export type AuthMfaVerifyReply = {
  ok: true
  recoveryCodes: string[]
}

export type AuthMfaChallengeBody = {
  challenge: string
  code: string
}

export type AuthMfaChallengeReply = SignedIn

export type AuthStepUpOptionsReply = PasskeyRequestOptions

export type AuthStepUpConfirmBody = {
  code: string
} | PasskeyAnswer

export type AuthStepUpConfirmReply = {
  ok: true
  until: string
}

export type AuthMfaRecoveryCodesBody = {
  code: string
}

export type AuthMfaRecoveryCodesReply = {
  ok: true
  recoveryCodes: string[]
}

export type AuthMfaDisableBody = {
  code: string
}

export type AuthMfaDisableReply = Ok

export type AuthPasskeysOptionsReply = PasskeyCreationOptions

export type AuthPasskeysAddBody = {
  name: string
  response: {
    id: string
    rawId: string
    type: 'public-key'
    clientExtensionResults?: { [key: string]: unknown } | undefined
    response: {
      clientDataJSON: string
      attestationObject: string
      transports?: string[] | undefined
    }
  }
}

export type AuthPasskeysAddReply = {
  passkey: Passkey
}

export type AuthPasskeysListReply = {
  passkeys: Passkey[]
}

export type AuthPasskeysRemoveReply = Ok

export type AuthPasskeysSignInOptionsReply = PasskeyRequestOptions

export type AuthPasskeysSignInBody = PasskeyAnswer

export type AuthPasskeysSignInReply = SignedIn

export type AuthDeviceStartBody = {
  /** Name of the program, such as `Cowrie CLI on my-laptop`. The key gets this name. */
  clientName?: string | undefined
  /** Scopes of the key. */
  scopes?: Array<'agent:run' | 'wallet:read' | 'keys:manage' | 'metrics:read'> | undefined
}

export type AuthDeviceStartReply = {
  /** The secret that collects the key. Do not show it. */
  deviceCode: string
  /** The code that the user compares or types: `XXXX-XXXX`. */
  userCode: string
  /** The page where the user decides. */
  verificationUrl: string
  /** The same page with the code filled in. */
  verificationUrlComplete: string
  /** Seconds between two calls of `/auth/device/token`. */
  interval: number
  /** Seconds until `expiresAt`, for programs whose clock is wrong. */
  expiresIn: number
  expiresAt: string
}

export type AuthDeviceTokenBody = {
  deviceCode: string
}

export type AuthDeviceTokenReply = {
  /** The API key. It is shown only once. */
  key: string
  id: string
  orgId: string
  userId: string
  scopes: Array<'agent:run' | 'wallet:read' | 'keys:manage' | 'metrics:read'>
}

export type AuthDeviceGetReply = {
  userCode: string
  clientName: string | null
  scopes: Array<'agent:run' | 'wallet:read' | 'keys:manage' | 'metrics:read'>
  /** The IP address of the program. */
  address: string
  userAgent: string
  createdAt: string
  expiresAt: string
  /** `approved` until the program has collected its key, then `done`. */
  status: 'pending' | 'approved' | 'denied' | 'done'
}

export type AuthDeviceApproveReply = Ok

export type AuthDeviceDenyReply = Ok

export type AuthGithubConfirmBody = {
  token: string
}

export type AuthGithubConfirmReply = Ok

export type AuthGithubGetReply = {
  github: {
    login: string
    linkedAt: string
    lastUsedAt: string
  } | null
}

export type AuthGithubLinkReply = {
  url: string
}

export type AuthGithubUnlinkReply = Ok

export type MeEmailChangeBody = {
  email: string
}

export type MeEmailChangeReply = {
  ok: true
  pendingEmail: {
    email: string
    expiresAt: string
  }
}

export type MeEmailCancelReply = Ok

export type MeEmailConfirmBody = {
  token: string
}

export type MeEmailConfirmReply = Ok

export type AuthEmailRevertBody = {
  token: string
}

export type AuthEmailRevertReply = {
  ok: true
  /** Whether the change had taken effect. Otherwise it was only cancelled. */
  restored: boolean
}

export type AuthSsoSamlAcsBody = {
  /** The response in base64. */
  SAMLResponse: string
  /** Ignored. */
  RelayState?: string | undefined
}

export type AuthSsoSamlAcsReply = SignedIn

export type AuthSsoSamlFinishQuery = {
  ticket: string
}

export type AuthSsoSamlFinishReply = SignedIn

export type OrgsSsoGetReply = {
  connection: SsoConnection | null
}

export type OrgsSsoAddBody = {
  entityId?: string | undefined
  ssoUrl?: string | undefined
  /** X.509 certificates in PEM, or one in plain base64. Any of them may sign. */
  certificate?: string | undefined
  type: 'oidc'
  enabled?: boolean | undefined
  issuer: string
  clientId: string
  /** Write-only. Null for a public client. */
  clientSecret?: string | null | undefined
} | {
  issuer?: string | undefined
  clientId?: string | undefined
  /** Write-only. Null for a public client. */
  clientSecret?: string | null | undefined
  type: 'saml'
  enabled?: boolean | undefined
  entityId: string
  ssoUrl: string
  /** X.509 certificates in PEM, or one in plain base64. Any of them may sign. */
  certificate: string
}

export type OrgsSsoAddReply = {
  connection: SsoConnection | null
}

export type OrgsSsoChangeBody = {
  enabled?: boolean | undefined
  issuer?: string | undefined
  clientId?: string | undefined
  /** Write-only. Null for a public client. */
  clientSecret?: string | null | undefined
  entityId?: string | undefined
  ssoUrl?: string | undefined
  /** X.509 certificates in PEM, or one in plain base64. Any of them may sign. */
  certificate?: string | undefined
}

export type OrgsSsoChangeReply = {
  connection: SsoConnection | null
}

export type OrgsSsoRemoveReply = Ok

export type OrgsSsoDomainsListReply = {
  domains: SsoDomain[]
}

export type OrgsSsoDomainsAddBody = {
  domain: string
}

export type OrgsSsoDomainsAddReply = SsoDomain

export type OrgsSsoDomainsRemoveReply = Ok

export type TeamsCreateBody = {
  name: string
  /** Default: the currency of your organisation. */
  currency?: 'NGN' | 'KES' | 'GHS' | 'ZAR' | 'EGP' | 'UGX' | 'XOF' | 'XAF' | 'RWF' | 'TZS' | 'ZMW' | 'GNF' | 'USD' | undefined
}

export type TeamsCreateReply = Team

export type TeamsRenameBody = {
  name: string
}

export type TeamsRenameReply = Team

export type TeamsMembersListQuery = {
  limit?: number | undefined
  cursor?: string | undefined
}

export type TeamsMembersListReply = {
  members: Member[]
  nextCursor: string | null
}

export type TeamsMembersAddBody = {
  email: string
  role: 'admin' | 'member'
  /** Spend per calendar month, in major units of the organisation’s currency. Omit it for no cap. */
  capNaira?: number | undefined
}

export type TeamsMembersAddReply = {
  ok: true
  member: Member
  /** False if an email limit was reached. */
  mailed: boolean
}

export type TeamsMembersInviteBody = { [key: string]: unknown }

export type TeamsMembersInviteReply = {
  ok: true
  member: Member
  /** False if an email limit was reached. */
  mailed: boolean
}

export type TeamsMembersChangeBody = {
  role?: 'admin' | 'member' | undefined
  /** Spend per calendar month, in major units of the organisation’s currency. Null removes the cap. */
  capNaira?: number | null | undefined
}

export type TeamsMembersChangeReply = {
  ok: true
  member: Member
}

export type TeamsMembersRemoveReply = Ok

export type TeamsLeaveBody = { [key: string]: unknown }

export type TeamsLeaveReply = Ok

export type TeamsLeaveByLinkBody = {
  token: string
}

export type TeamsLeaveByLinkReply = Ok

export type TeamsTransferBody = {
  userId: string
}

export type TeamsTransferReply = {
  ok: true
  member: Member
}

export type OrgsSsoScimGetReply = ScimProvisioning

export type OrgsSsoScimAddTokenBody = {
  /** The name of the directory service. */
  name: string
}

export type OrgsSsoScimAddTokenReply = NewScimToken

export type OrgsSsoScimRevokeTokenReply = Ok

export type KycSubmitBody = {
  businessName: string
  registrationNumber?: string | undefined
  /** Receives the decision by mail, as the owners do. */
  contactEmail?: string | undefined
  /** A reference to the documents, not the documents themselves. */
  documentRef?: string | undefined
}

export type KycSubmitReply = {
  ok: true
  status: 'pending'
}

export type KycGetReply = {
  status: 'unsubmitted' | 'pending' | 'verified' | 'rejected'
  record: KycRecord | null
}

export type AdminKycListQuery = {
  status?: 'pending' | 'verified' | 'rejected' | 'all' | undefined
  limit?: number | undefined
  cursor?: string | undefined
}

export type AdminKycListReply = {
  records: KycRecord[]
  nextCursor: string | null
}

export type AdminKycReviewBody = {
  status: 'verified' | 'rejected'
  /** The organisation can read these notes. */
  notes?: string | undefined
  /** The `submittedAt` of the record you read. The review fails if the organisation has submitted again since. */
  submittedAt?: string | undefined
}

export type AdminKycReviewReply = {
  ok: true
  record: KycRecord
}

export type MeFlagsReply = {
  /** Every flag by its key. */
  flags: { [key: string]: boolean }
  sources: Array<{
    key: string
    enabled: boolean
    /** The source of the value. */
    source: 'org' | 'tier' | 'default'
  }>
}

export type AdminFlagsListQuery = {
  limit?: number | undefined
  cursor?: string | undefined
}

export type AdminFlagsListReply = {
  flags: Flag[]
  nextCursor: string | null
}

export type AdminFlagsSetBody = {
  defaultEnabled?: boolean | undefined
  description?: string | undefined
  /** Replaces all tier overrides. */
  tierOverrides?: {
    individual?: boolean | undefined
    team?: boolean | undefined
    enterprise?: boolean | undefined
  } | undefined
}

export type AdminFlagsSetReply = {
  ok: true
  /** False when the value was already set; the audit log has no entry then. */
  changed: boolean
  flag: Flag
}

export type AdminFlagsRemoveReply = Ok

export type AdminFlagsOrgsQuery = {
  limit?: number | undefined
  cursor?: string | undefined
}

export type AdminFlagsOrgsReply = {
  overrides: Array<{
    orgId: string
    enabled: boolean
    updatedAt: string
  }>
  nextCursor: string | null
}

export type OrgsFlagsListReply = {
  orgId: string
  tier: string
  /** Every flag by its key. */
  flags: { [key: string]: boolean }
  sources: Array<{
    key: string
    enabled: boolean
    /** The source of the value. */
    source: 'org' | 'tier' | 'default'
  }>
}

export type OrgsFlagsSetBody = {
  enabled: boolean
}

export type OrgsFlagsSetReply = {
  ok: true
  /** False when the value was already set; the audit log has no entry then. */
  changed: boolean
  orgId: string
  key: string
  /** Null when cleared: the tier and the default apply. */
  enabled: boolean | null
}

export type OrgsFlagsClearReply = {
  ok: true
  /** False when the value was already set; the audit log has no entry then. */
  changed: boolean
  orgId: string
  key: string
  /** Null when cleared: the tier and the default apply. */
  enabled: boolean | null
}

export type PolicyGetReply = {
  policy: OrgPolicy
}

export type PolicyChangeBody = {
  /** Optional. Must equal the id in the path. */
  orgId?: string | undefined
  /** A tier that differs from the plan stays in force for every plan. The tier of the plan lets the plan decide again. */
  tier?: 'individual' | 'team' | 'enterprise' | undefined
  /** Cannot change to a weaker isolation. */
  dataIsolation?: 'shared' | 'schema' | 'dedicated' | undefined
  residencyRegion?: string | null | undefined
  /** Must contain `open`. */
  allowedLanes?: Array<'open' | 'frontier'> | undefined
  /** Model ids, or patterns that end in `*`. Null allows every model. */
  allowedModels?: string[] | null | undefined
  ssoRequired?: boolean | undefined
  /** Replaces the whole map. Applies from the next sign-in of each person. */
  groupRoleMap?: { [key: string]: 'admin' | 'member' } | null | undefined
}

export type PolicyChangeReply = {
  policy: OrgPolicy
  /** Possible mistakes in the new policy, one sentence each. */
  warnings: string[]
}

export type OrgsSignInBody = {
  githubAllowed: boolean
}

export type OrgsSignInReply = {
  ok: true
  githubAllowed: boolean
}

export type OrgsExportReply = OrgExport

export type OrgsCloseBody = {
  /** The exact name of the organisation. */
  confirm: string
  /** The exact balance of the wallet, which you forfeit. */
  forfeitMinor?: bigint | undefined
  /** The code of the active plan whose rest you forfeit. */
  forfeitPlan?: string | undefined
}

export type OrgsCloseReply = {
  ok: true
  closedAt: string
}

export type OrgsIpAllowListGetReply = IpAllowList

export type OrgsIpAllowListSetBody = {
  /** Replaces the whole list. An empty list allows every address. */
  entries: Array<{
    /** An IPv4 or IPv6 address or a CIDR, such as 203.0.113.0/24. IPv4-mapped IPv6 is stored as IPv4. Zone ids, leading zeros, host bits, /0 and duplicates are refused. */
    cidr: string
    label?: string | null | undefined
  }>
  /** Store the list although it lacks the address of this call. */
  allowLockOut?: boolean | undefined
}

export type OrgsIpAllowListSetReply = IpAllowList

export type AdminOrgsClearIpAllowListReply = IpAllowList

export type HooksEventTypesReply = {
  types: Array<{
    type: string
    description: string
    /** An example. */
    data: { [key: string]: unknown }
  }>
}

export type HooksEndpointsListReply = {
  endpoints: WebhookEndpoint[]
}

export type HooksEndpointsCreateBody = {
  /** An https address on the public internet. */
  url: string
  /** Null subscribes to all types, including future ones. */
  events?: Array<'topup.settled' | 'balance.low' | 'run.finished' | 'task.turn.finished' | 'task.needs_approval' | 'research.finished' | 'invoice.paid'> | null | undefined
  description?: string | null | undefined
}

export type HooksEndpointsCreateReply = {
  endpoint: WebhookEndpoint
  /** The signing secret. Shown only once. */
  secret: string
}

export type HooksEndpointsGetReply = {
  endpoint: WebhookEndpoint
}

export type HooksEndpointsChangeBody = {
  /** An https address on the public internet. */
  url?: string | undefined
  /** Null subscribes to all types, including future ones. */
  events?: Array<'topup.settled' | 'balance.low' | 'run.finished' | 'task.turn.finished' | 'task.needs_approval' | 'research.finished' | 'invoice.paid'> | null | undefined
  description?: string | null | undefined
  enabled?: boolean | undefined
}

export type HooksEndpointsChangeReply = {
  endpoint: WebhookEndpoint
}

export type HooksEndpointsRemoveReply = Ok

export type HooksEndpointsRotateSecretBody = { [key: string]: unknown }

export type HooksEndpointsRotateSecretReply = {
  /** The signing secret. Shown only once. */
  secret: string
  previousUntil: string
}

export type HooksEndpointsTestBody = { [key: string]: unknown }

export type HooksEndpointsTestReply = {
  delivery: WebhookDelivery
}

export type HooksDeliveriesListQuery = {
  limit?: number | undefined
  cursor?: string | undefined
  status?: 'pending' | 'delivered' | 'failed' | undefined
}

export type HooksDeliveriesListReply = {
  deliveries: WebhookDelivery[]
  nextCursor: string | null
}

export type HooksDeliveriesReplayBody = { [key: string]: unknown }

export type HooksDeliveriesReplayReply = {
  delivery: WebhookDelivery
}

export type PushSubscriptionsListReply = {
  /** The `applicationServerKey`; null where push is off. */
  publicKey: string | null
  subscriptions: PushSubscription[]
}

export type PushSubscriptionsSaveBody = {
  endpoint: string
  keys: {
    p256dh: string
    auth: string
  }
  kinds: Array<'paid' | 'task_finished' | 'needs_approval'>
  language?: 'en' | 'fr' | 'sw' | 'ar' | undefined
}

export type PushSubscriptionsSaveReply = {
  subscription: PushSubscription
}

export type PushSubscriptionsRemoveReply = Ok

export type WalletGetReply = Wallet

export type WalletLedgerQuery = {
  /** Your own organisation by default; another one is for platform staff only. */
  orgId?: string | undefined
  source?: 'topup' | 'agent' | 'chat' | 'index' | 'research' | 'review' | 'gateway' | 'refund' | 'adjustment' | 'subscription' | 'trial' | undefined
  type?: 'credit' | 'debit' | undefined
  from?: string | undefined
  /** Exclusive. */
  to?: string | undefined
  limit?: number | undefined
  cursor?: string | undefined
}

export type WalletLedgerReply = {
  entries: LedgerEntry[]
  nextCursor: string | null
}

export type WalletProofQuery = {
  /** Check the postings up to this number instead of the newest. */
  from?: number | undefined
}

export type WalletProofReply = {
  currency: 'NGN' | 'KES' | 'GHS' | 'ZAR' | 'EGP' | 'UGX' | 'XOF' | 'XAF' | 'RWF' | 'TZS' | 'ZMW' | 'GNF' | 'USD'
  balanceMinor: bigint
  heldMinor: bigint
  includedRemainingMinor: bigint
  movements: number
  /** The sums of all postings. The net is the balance. */
  sums: {
    creditsMinor: bigint
    debitsMinor: bigint
    netMinor: bigint
  }
  /** Whether balance, held and included money equal the sums of postings and open holds. */
  matches: boolean
  holdsOpen: number
  heldByHoldsMinor: bigint
  /** The end of the hash chain. Keep it to prove later that nothing before it was changed. */
  head: {
    seq: number
    /** SHA-256 in hexadecimal; empty before the first posting. */
    hash: string
  }
  /** The name of this chain in the transparency log. Others cannot tell that it is yours. Null where the log is off. */
  transparencyName: string | null
  checked: {
    fromSeq: number
    toSeq: number
    intact: boolean
    /** The first posting that is missing or was changed. */
    brokenAt: number | null
    /** Pass it as `from` to check the postings before these. */
    olderFrom: number | null
  }
}

export type WalletMovementsQuery = {
  /** The number of the last posting you have. */
  after?: number | undefined
  limit?: number | undefined
}

export type WalletMovementsReply = {
  movements: Array<{
    seq: number
    id: string
    kind: string
    freeMinor: bigint
    heldMinor: bigint
    includedMinor: bigint
    includedHeldMinor: bigint
    revenueMinor: bigint
    allowanceMinor: bigint
    account: string | null
    accountMinor: bigint
    source: string
    ref: string
    balanceAfterMinor: bigint
    cause: string | null
    holdId: string | null
    createdAt: string
    createdAtMicros: number
    /** SHA-256 in hexadecimal; empty before the first posting. */
    hash: string
  }>
  nextAfter: number | null
}

export type WalletSettingsGetReply = {
  lowBalanceThresholdMinor: bigint
  currency: 'NGN' | 'KES' | 'GHS' | 'ZAR' | 'EGP' | 'UGX' | 'XOF' | 'XAF' | 'RWF' | 'TZS' | 'ZMW' | 'GNF' | 'USD'
}

export type WalletSettingsSetBody = {
  lowBalanceThresholdMinor: bigint
}

export type WalletSettingsSetReply = {
  lowBalanceThresholdMinor: bigint
  currency: 'NGN' | 'KES' | 'GHS' | 'ZAR' | 'EGP' | 'UGX' | 'XOF' | 'XAF' | 'RWF' | 'TZS' | 'ZMW' | 'GNF' | 'USD'
}

export type WalletExplainReply = {
  entry: LedgerEntry
  explanation: {
    kind: 'metered' | 'topup' | 'refund' | 'adjustment' | 'subscription' | 'reversal' | 'trial'
    summary: string
    metered: {
      lane: 'open' | 'frontier'
      model: string
      tokens: number
      billedTokens: number
      /** Null if the model did not report it. */
      promptTokens: number | null
      /** Null if the model did not report it. */
      outputTokens: number | null
      /** Part of the prompt. Null if the model did not report it. */
      cachedTokens: number | null
      /** Part of the prompt. Null if the model did not report it. */
      cacheWriteTokens: number | null
      /** Part of the output. Null if the model did not report it. */
      reasoningTokens: number | null
      priceKoboPer1m: number
      /** The used tokens by class. Null if one price applies to every token. */
      classes: Array<{
        class: 'input' | 'cachedInput' | 'cacheWrite' | 'output'
        tokens: number
        priceKoboPer1m: number
        /** The price of these tokens, without rounding. */
        exactKobo: string
      }> | null
      rateCard: string
      /** Minor units of your currency per kobo. */
      rate: {
        numerator: string
        denominator: string
      }
      /** The price of the billed tokens, without rounding. */
      exactKobo: string
      /** The price of the tokens beyond the reservation. It is not charged. */
      unbilledKobo: string
      runBeforeMinor: bigint
      runAfterMinor: bigint
      costMinor: bigint
      /** Set if the charge accumulates exactly with other charges instead of being rounded up by itself. */
      accrual: {
        /** The cost of the call without rounding, in minor units. */
        exactCost: string
        /** The part that earlier calls paid beyond their cost, in minor units. */
        paidBefore: string
        /** The part that is left for the next calls, in minor units. Always less than one. */
        paidAfter: string
        sentence: string
      } | null
      /** The calculation step by step. */
      steps: string[]
      /** Whether the calculation, repeated for this reply, gives the charged amount. */
      recomputed: boolean
    } | null
    hold: {
      id: string
      reservedMinor: bigint
      includedMinor: bigint
      reservedAt: string
      deadline: string
    } | null
    settlement: {
      chargedMinor: bigint
      fromIncludedMinor: bigint
      fromWalletMinor: bigint
      releasedMinor: bigint
      at: string
    } | null
    payment: {
      /** Look it up at GET /wallet/topups. */
      reference: string
      /** The payment provider. Null if no provider was involved. */
      rail: string | null
      at: string
    } | null
  }
  chain: {
    seq: number
    /** SHA-256 in hexadecimal; empty before the first posting. */
    hash: string
    /** SHA-256 in hexadecimal; empty before the first posting. */
    previousHash: string
  }
}

export type AdminApprovalsListQuery = {
  status?: 'pending' | 'all' | undefined
  limit?: number | undefined
  cursor?: string | undefined
}

export type AdminApprovalsListReply = {
  approvals: Approval[]
  nextCursor: string | null
}

export type AdminApprovalsDecideBody = {
  decision: 'approve' | 'reject'
  note?: string | undefined
}

export type AdminApprovalsDecideReply = {
  ok: true
  id: string
  state: 'approved' | 'rejected' | 'void'
}

export type AdminProvidersListReply = {
  providers: Provider[]
}

export type AdminProvidersCreateBody = {
  /** Unique. */
  name: string
  /** The request format of the provider. */
  wire: 'openai' | 'anthropic' | 'gemini'
  /** For `openai` including the version, such as https://api.openai.com/v1. For `anthropic` and `gemini` the origin, such as https://api.anthropic.com: /v1/messages or /v1beta/models/… is added. */
  baseUrl: string
  /** Stored encrypted, sent only to the provider and never returned. Empty or null: no key. */
  apiKey?: string | null | undefined
  /** Organisations with a residency region use only models of providers in that region. */
  region?: string | null | undefined
  /** Multiplied with the weight of each route. 0: the provider is used only where no other route is left. */
  weight?: number | undefined
  enabled?: boolean | undefined
}

export type AdminProvidersCreateReply = Provider

export type AdminProvidersChangeBody = {
  name?: string | undefined
  /** The request format of the provider. */
  wire?: 'openai' | 'anthropic' | 'gemini' | undefined
  /** For `openai` including the version, such as https://api.openai.com/v1. For `anthropic` and `gemini` the origin, such as https://api.anthropic.com: /v1/messages or /v1beta/models/… is added. Another host without a new key clears the key. */
  baseUrl?: string | undefined
  /** Stored encrypted, sent only to the provider and never returned. Empty or null: no key. */
  apiKey?: string | null | undefined
  /** Organisations with a residency region use only models of providers in that region. */
  region?: string | null | undefined
  /** Multiplied with the weight of each route. 0: the provider is used only where no other route is left. */
  weight?: number | undefined
  enabled?: boolean | undefined
}

export type AdminProvidersChangeReply = Provider

export type AdminProvidersDeleteReply = Ok

export type AdminModelsListReply = {
  models: CatalogueModel[]
  lanes: LaneRoutes[]
}

export type AdminModelsSetBody = {
  /** Default: the id. */
  title?: string | undefined
  /** Required. Policies allow or deny lanes. */
  lane?: 'open' | 'frontier' | undefined
  /** At least one. The lanes `open` and `frontier` take further routes here and nothing else. */
  routes: Array<{
    providerId: string
    /** The name of the model at the provider. */
    upstreamModel: string
    /** Routes with a lower number are tried first. */
    priority?: number | undefined
    /** The share among routes of the same priority. 0: used only where no other route is left. */
    weight?: number | undefined
  }>
  /** Required. */
  contextTokens?: number | undefined
  /** Required: the longest answer. At most `contextTokens`. */
  outputTokens?: number | undefined
  capabilities?: Array<'tools' | 'images' | 'reasoning' | 'cache'> | undefined
  /** Required. Kobo per million tokens of each class. A change adds a version. */
  price?: {
    input: number
    output: number
    /** Default: the price of input. */
    cachedInput?: number | undefined
    /** Default: the price of input. */
    cacheWrite?: number | undefined
  } | undefined
  /** Other names of the model. One that ends in `*` matches every name with its beginning. */
  aliases?: string[] | undefined
  /** Default: true. */
  enabled?: boolean | undefined
}

export type AdminModelsSetReply = CatalogueModel | LaneRoutes

export type AdminModelsDeleteReply = Ok

export type MeUsageQuery = {
  /** By default 30 days before `to`; at most 366. */
  from?: string | undefined
  /** Not included. By default now. */
  to?: string | undefined
}

export type MeUsageReply = {
  /** Newest first, at most 1000. */
  points: Array<{
    at: string
    lane: string
    model: string
    source: string
    tokens: number
    costMinor: bigint
    /** The cost without rounding, in minor units, where charges accumulate: `costMinor` is then 0 if earlier charges paid for it. Null for a charge that is rounded up by itself. */
    exactCost: string | null
  }>
  /** The total of the whole period, including points that are not listed. */
  totals: {
    costMinor: bigint
    tokens: number
    byLane: { [key: string]: {
        costMinor: bigint
        tokens: number
      } }
    bySource: { [key: string]: {
        costMinor: bigint
        tokens: number
      } }
    /** Days with usage (UTC), earliest first. */
    byDay: Array<{
      costMinor: bigint
      tokens: number
      day: string
    }>
  }
  from: string
  to: string
}

export type TeamsUsageQuery = {
  limit?: number | undefined
  cursor?: string | undefined
}

export type TeamsUsageReply = {
  members: Array<{
    userId: string
    email: string
    monthMinor: bigint
    /** Null without a cap. */
    seatCapMinor: bigint | null
    /** Null without a cap. */
    remainingMinor: bigint | null
  }>
  totalMinor: bigint
  monthStart: string
  nextCursor: string | null
}

export type UsageRequestsQuery = {
  limit?: number | undefined
  cursor?: string | undefined
  from?: string | undefined
  /** Not included. */
  to?: string | undefined
  keyId?: string | undefined
  userId?: string | undefined
  model?: string | undefined
  provider?: string | undefined
  /** For example `POST /v1/messages`. */
  route?: string | undefined
  status?: string | undefined
  code?: string | undefined
  minCostMinor?: bigint | undefined
  requestId?: string | undefined
  /** All organisations; for platform staff only. */
  scope?: 'all' | undefined
  /** Your own organisation by default; another one is for platform staff only. */
  orgId?: string | undefined
  /** The id of a row. Only later rows are returned, oldest first; a row appears two seconds after its call. */
  after?: string | undefined
  /** Same as `Accept`. */
  format?: 'json' | 'csv' | undefined
}

export type UsageRequestsReply = {
  requests: RequestRow[]
  nextCursor: string | null
}

export type UsageRequestSummaryQuery = {
  bucket?: 'hour' | 'day' | undefined
  /** By default 24 hours (hour) or 30 days (day) before `to`; at most 14 or 400 days. */
  from?: string | undefined
  /** Not included. By default now. */
  to?: string | undefined
  keyId?: string | undefined
  userId?: string | undefined
  model?: string | undefined
  provider?: string | undefined
  /** For example `POST /v1/messages`. */
  route?: string | undefined
  status?: string | undefined
  code?: string | undefined
  minCostMinor?: bigint | undefined
  requestId?: string | undefined
  /** All organisations; for platform staff only. */
  scope?: 'all' | undefined
  /** Your own organisation by default; another one is for platform staff only. */
  orgId?: string | undefined
}

export type UsageRequestSummaryReply = RequestSummary

export type InvoicesListQuery = {
  from?: string | undefined
  /** Exclusive. */
  to?: string | undefined
  limit?: number | undefined
  cursor?: string | undefined
}

export type InvoicesListReply = {
  invoices: Invoice[]
  nextCursor: string | null
}

export type InvoicesGetReply = Invoice

export type InvoicesReceiptQuery = {
  /** Return a file instead of a page. */
  download?: boolean | undefined
  /** `pdf` is always a file. */
  format?: 'html' | 'pdf' | undefined
  /** The language of the page. Default: `Accept-Language`, then English. */
  lang?: 'en' | 'fr' | 'sw' | 'ar' | undefined
}

export type CreditNotesReceiptQuery = {
  /** Return a file instead of a page. */
  download?: boolean | undefined
  /** `pdf` is always a file. */
  format?: 'html' | 'pdf' | undefined
  /** The language of the page. Default: `Accept-Language`, then English. */
  lang?: 'en' | 'fr' | 'sw' | 'ar' | undefined
}

export type BillingDetailsGetReply = BillingDetails

export type BillingDetailsSetBody = {
  legalName?: string | null | undefined
  address?: string | null | undefined
  taxId?: string | null | undefined
  /** The country whose tax your payments contain. Default: the country of your currency. */
  country?: string | null | undefined
}

export type BillingDetailsSetReply = BillingDetails

export type AdminInvoicesListQuery = {
  orgId: string
  from?: string | undefined
  /** Exclusive. */
  to?: string | undefined
  limit?: number | undefined
  cursor?: string | undefined
}

export type AdminInvoicesListReply = {
  invoices: Invoice[]
  nextCursor: string | null
}

export type AdminEinvoicesListQuery = {
  state?: 'waiting' | 'sent' | 'accepted' | 'rejected' | 'unclear' | undefined
  limit?: number | undefined
  cursor?: string | undefined
}

export type AdminEinvoicesListReply = {
  einvoices: EInvoice[]
  nextCursor: string | null
}

export type AdminEinvoicesRetryReply = {
  ok: true
  id: string
}

export type WalletChannelsReply = {
  channels: Array<{
    channel: 'card' | 'ussd' | 'opay' | 'palmpay' | 'mpesa' | 'mtn_momo' | 'ozow' | 'fawry' | 'telecel_cash' | 'airteltigo' | 'payshap' | 'flutterwave'
    label: string
    mode: 'live' | 'mock'
    needsPhone: boolean
    minMinor: bigint
    maxMinor: bigint
    stepMinor: bigint
  }>
  currency: string
}

export type WalletTopupBody = TopupRequest

export type WalletTopupReply = TopupResult

export type WalletVerifyBody = {
  reference: string
}

export type WalletVerifyReply = {
  reference: string
  /** `review`: the paid amount differs from the expected one, and staff look into it. */
  status: 'pending' | 'settled' | 'failed' | 'expired' | 'review'
  amountMinor: bigint
  creditedMinor: bigint
  balanceMinor: bigint
  currency: string
  channel: 'card' | 'ussd' | 'opay' | 'palmpay' | 'mpesa' | 'mtn_momo' | 'ozow' | 'fawry' | 'telecel_cash' | 'airteltigo' | 'payshap' | 'flutterwave'
  mode: 'live' | 'mock'
  /** Why it failed or is under review. */
  reason: string | null
  settledAt: string | null
}

export type WalletTopupsQuery = {
  /** `review`: the paid amount differs from the expected one, and staff look into it. */
  status?: 'pending' | 'settled' | 'failed' | 'expired' | 'review' | undefined
  limit?: number | undefined
  cursor?: string | undefined
}

export type WalletTopupsReply = {
  topups: Topup[]
  nextCursor: string | null
}

export type WalletTopupOtpBody = {
  /** The code that the network sent to the payer. */
  otp: string
}

export type WalletTopupOtpReply = TopupResult

export type WalletRefundBody = {
  orgId: string
  amountMinor: bigint
  /** Stored in the audit log of the organisation, and printed on the credit note of a refund. */
  reason: string
  source?: 'refund' | 'adjustment' | undefined
  /** The settled payment. Required for a refund, informational for an adjustment. */
  reference?: string | undefined
}

export type WalletRefundReply = {
  ok: true
  entry: LedgerEntry
  balanceMinor: bigint
  /** The credit note on the invoice of a refunded payment. Null for an adjustment. */
  creditNote: {
    id: string
    number: string
    receiptUrl: string
  } | null
}

export type AdminPaymentsListQuery = {
  status?: 'pending' | 'settled' | 'failed' | 'expired' | 'review' | undefined
  orgId?: string | undefined
  limit?: number | undefined
  cursor?: string | undefined
}

export type AdminPaymentsListReply = {
  payments: AdminPayment[]
  nextCursor: string | null
}

export type AdminPaymentsGetReply = {
  payment: AdminPayment
  /** Masked. */
  phone: string | null
  /** The accounts that were asked to collect it, in their order. */
  attempts: Array<{
    position: number
    rail: string
    account: string
    /** `started`: no answer yet; `refused`: the account cannot take it; `rejected`: the payment cannot be taken; `unsent`: it never reached the provider; `known`: the provider had it already; `unknown`: the provider may have it. */
    outcome: 'started' | 'accepted' | 'refused' | 'rejected' | 'unsent' | 'known' | 'unknown'
    providerRef: string | null
    /** The provider’s code and message. */
    detail: string | null
    startedAt: string
    endedAt: string | null
  }>
  /** Refunds to the payer, oldest first. */
  sourceRefunds: SourceRefund[]
  /** Why the payment cannot be refunded to the payer here; null if it can. */
  refundObstacle: string | null
  /** Newest first, at most 100. */
  events: Array<{
    id: string
    kind: string
    /** The result; null until the event is processed. */
    verdict: string | null
    /** How often the same event arrived. */
    times: number
    sourceIp: string
    /** The received body, with phone numbers masked. */
    raw: string
    receivedAt: string
    processedAt: string | null
  }>
}

export type AdminPaymentsResolveBody = {
  /** `credit` adds `amountMinor`. Default: the amount that the provider reported, else the expected amount. */
  decision: 'credit' | 'reject'
  /** With `credit`: the amount received, in the currency of the payment. At most the amount that the provider reported; credit more as an adjustment. */
  amountMinor?: bigint | undefined
  /** The reason. Stored in the audit log. */
  note: string
}

export type AdminPaymentsResolveReply = {
  ok: true
  reference: string
  status: 'pending' | 'settled' | 'failed' | 'expired' | 'review'
  creditedMinor: bigint
  balanceMinor: bigint
}

export type AdminPaymentsCheckBody = { [key: string]: unknown }

export type AdminPaymentsCheckReply = {
  ok: true
  reference: string
  status: 'pending' | 'settled' | 'failed' | 'expired' | 'review'
  creditedMinor: bigint
  balanceMinor: bigint
  /** The provider’s status; `unknown` when it gave no usable answer. */
  answer: 'paid' | 'pending' | 'failed' | 'reversed' | 'unknown'
}

export type AdminPaymentCasesListQuery = {
  status?: 'open' | 'resolved' | undefined
  reference?: string | undefined
  limit?: number | undefined
  cursor?: string | undefined
}

export type AdminPaymentCasesListReply = {
  cases: PaymentCase[]
  nextCursor: string | null
}

export type AdminPaymentCasesResolveBody = {
  /** Findings and actions. Stored in the audit log. */
  note: string
}

export type AdminPaymentCasesResolveReply = {
  ok: true
  id: string
}

export type AdminPaymentsRefundToSourceBody = {
  amountMinor: bigint
  /** Stored in the audit log, and printed on the credit note. */
  reason: string
}

export type AdminPaymentsRefundToSourceReply = {
  ok: true
  id: string
  reference: string
  /** `unclear`: staff look into it; `done`: the payer has the money; `failed`: the wallet has it again. */
  state: 'requested' | 'sent' | 'unclear' | 'done' | 'failed'
  amountMinor: bigint
  requestedAt: string
}

export type AdminPaymentsDecideRefundBody = {
  decision: 'returned' | 'not_returned'
  /** The number of the refund at the provider, if it has one. */
  providerId?: string | undefined
  /** The finding at the provider. Stored in the audit log. */
  note: string
}

export type AdminPaymentsDecideRefundReply = {
  ok: true
  id: string
  /** `unclear`: staff look into it; `done`: the payer has the money; `failed`: the wallet has it again. */
  state: 'requested' | 'sent' | 'unclear' | 'done' | 'failed'
}

export type AdminDisputesListQuery = {
  status?: 'open' | 'decided' | undefined
  limit?: number | undefined
  cursor?: string | undefined
}

export type AdminDisputesListReply = {
  disputes: PaymentDispute[]
  nextCursor: string | null
}

export type AdminDisputesGetReply = {
  dispute: PaymentDispute
  evidence: DisputeEvidence
  /** Why it cannot be answered here. */
  answerObstacle: string | null
}

export type AdminDisputesContestBody = {
  /** Sent to the provider, and stored in the audit log. */
  message: string
  /** The purchase and its use. Default: `evidence.serviceDetails`. */
  serviceDetails?: string | undefined
  /** Paystack asks for it where it is known. */
  customerPhone?: string | undefined
}

export type AdminDisputesContestReply = {
  ok: true
  id: string
  answer: 'contested' | 'accepted'
}

export type AdminDisputesAcceptBody = {
  /** Sent to the provider, and stored in the audit log. */
  message: string
}

export type AdminDisputesAcceptReply = {
  ok: true
  id: string
  answer: 'contested' | 'accepted'
}

export type AdminRailsReply = {
  rails: Array<{
    rail: string
    channels: string[]
    /** The keys of the default account. With `none` the mock serves its channels. */
    keys: 'live' | 'test' | 'none'
    /** The environment variables that configure it. */
    needs: string[]
    /** The default account first. */
    accounts: Array<{
      /** The country; `all` where one account serves every country. */
      account: string
      /** The currencies that it can collect. */
      currencies: string[]
      keys: 'live' | 'test'
      /** `open` while a replica has paused calls to the provider because it does not answer. */
      circuit: 'closed' | 'open'
      /** The last answer that any replica recorded. */
      lastSuccessAt: string | null
      lastFailureAt: string | null
      lastFailureReason: string | null
    }>
    /** The webhook URL for the provider. Its last part is a secret: null for roles that do not configure rails. */
    notifyUrl: string | null
  }>
}

export type AdminRailRoutesListReply = {
  routes: RailRoute[]
}

export type AdminRailRoutesSetBody = {
  channel: 'card' | 'ussd' | 'opay' | 'palmpay' | 'mpesa' | 'mtn_momo' | 'ozow' | 'fawry' | 'telecel_cash' | 'airteltigo' | 'payshap' | 'flutterwave'
  currency: 'NGN' | 'KES' | 'GHS' | 'ZAR' | 'EGP' | 'UGX' | 'XOF' | 'XAF' | 'RWF' | 'TZS' | 'ZMW' | 'GNF' | 'USD'
  /** Replaces the stored order. Empty: the default order. */
  accounts: Array<{
    rail: string
    account: string
    priority: number
  }>
}

export type AdminRailRoutesSetReply = Ok

export type AdminRailPerformanceReply = {
  accounts: RailPerformance[]
  /** False when there are more attempts than are counted: the newest 100,000. */
  isComplete: boolean
}

export type AdminRailDoctorReply = RailDoctorReport

export type AdminReconciliationsListQuery = {
  rail?: string | undefined
  account?: string | undefined
  limit?: number | undefined
  cursor?: string | undefined
}

export type AdminReconciliationsListReply = {
  reconciliations: Reconciliation[]
  nextCursor: string | null
}

export type AdminReconciliationsStartBody = {
  rail: string
  account: string
  day: string
}

export type AdminReconciliationsStartReply = {
  ok: true
  id: string
}

export type AdminReconciliationsStatementBody = {
  rail: string
  account: string
  csv: string
  /** The header of each column in the file. Upper and lower case are equal. */
  columns?: {
    date?: string | undefined
    reference?: string | undefined
    amount?: string | undefined
    currency?: string | undefined
  } | undefined
}

export type AdminReconciliationsStatementReply = {
  ok: true
  id: string
}

export type WebhooksCardReply = {
  ok?: true | undefined
  /** Required by some providers. */
  ResultCode?: number | undefined
}

export type WebhooksMpesaQuery = {
  token?: unknown
}

export type WebhooksMpesaReply = {
  ok?: true | undefined
  /** Required by some providers. */
  ResultCode?: number | undefined
}

export type WebhooksMomoQuery = {
  token?: unknown
}

export type WebhooksMomoReply = {
  ok?: true | undefined
  /** Required by some providers. */
  ResultCode?: number | undefined
}

export type WebhooksMomoPutQuery = {
  token?: unknown
}

export type WebhooksMomoPutReply = {
  ok?: true | undefined
  /** Required by some providers. */
  ResultCode?: number | undefined
}

export type WebhooksRailReply = {
  ok?: true | undefined
  /** Required by some providers. */
  ResultCode?: number | undefined
}

export type WebhooksRailPutReply = {
  ok?: true | undefined
  /** Required by some providers. */
  ResultCode?: number | undefined
}

export type WalletPaybillReply = Paybill

export type AdminRegisterRailUrlsBody = {
  /** While validation does not answer, `Completed` lets payments arrive and `Cancelled` refuses them. */
  responseType?: 'Completed' | 'Cancelled' | undefined
}

export type AdminRegisterRailUrlsReply = {
  /** Whether M-Pesa accepted the URLs. */
  ok: boolean
  shortcode: string
  responseType: 'Completed' | 'Cancelled'
  host: string
  detail: string
}

export type AdminPaymentCasesAssignBody = {
  orgId: unknown
  /** Findings and actions. Stored in the audit log. */
  note: string
}

export type AdminPaymentCasesAssignReply = {
  ok: true
  id: string
  /** The payment that was created. */
  reference: string
  status: 'pending' | 'settled' | 'failed' | 'expired' | 'review'
  creditedMinor: bigint
  balanceMinor: bigint
}

export type WebhooksPaybillValidationReply = {
  ResultCode: string | number
  ResultDesc: string
}

export type WebhooksPaybillConfirmationReply = {
  ResultCode: string | number
  ResultDesc: string
}

export type WebhooksPaybillResultReply = {
  ResultCode: string | number
  ResultDesc: string
}

export type WebhooksPaybillTimeoutReply = {
  ResultCode: string | number
  ResultDesc: string
}

export type PlansListReply = {
  plans: Plan[]
}

export type PlansPublicQuery = {
  currency?: 'NGN' | 'KES' | 'GHS' | 'ZAR' | 'EGP' | 'UGX' | 'XOF' | 'XAF' | 'RWF' | 'TZS' | 'ZMW' | 'GNF' | 'USD' | undefined
}

export type PlansPublicReply = {
  currency: 'NGN' | 'KES' | 'GHS' | 'ZAR' | 'EGP' | 'UGX' | 'XOF' | 'XAF' | 'RWF' | 'TZS' | 'ZMW' | 'GNF' | 'USD'
  rateCardVersion: string
  plans: Plan[]
}

export type SubscriptionPreviewBody = {
  planCode?: string | undefined
  /** Default: the interval of the subscription. */
  interval?: 'month' | 'year' | undefined
  seats?: number | undefined
}

export type SubscriptionPreviewReply = SubscriptionPreview

export type BillingSummaryReply = BillingSummary

export type SubscriptionGetReply = {
  subscription: Subscription | null
  /** The plan as it was sold. */
  plan: Plan | null
  includedRemainingMinor: bigint
}

export type SubscriptionCheckoutBody = {
  planCode: string
  interval?: 'month' | 'year' | undefined
  /** The highest price that you accept. If the plan costs more, nothing starts and nothing is charged. */
  maxMinor?: bigint | undefined
}

export type SubscriptionCheckoutReply = {
  activated: true
  subscription: Subscription
} | {
  /** The page for the card payment. The plan starts when it is paid. */
  authorizationUrl: string
  reference: string
}

export type SubscriptionChangeBody = {
  planCode: string
  /** Default: the interval of the subscription. */
  interval?: 'month' | 'year' | undefined
}

export type SubscriptionChangeReply = {
  changed: true
  chargedMinor: bigint
  walletCreditMinor: bigint
  subscription: Subscription
} | {
  scheduled: true
  effectiveAt: string
  subscription: Subscription
} | {
  cleared: true
  subscription: Subscription
}

export type SubscriptionSeatsBody = {
  seats: number
}

export type SubscriptionSeatsReply = {
  seats: number
  chargedMinor: bigint
  subscription: Subscription
}

export type SubscriptionCancelBody = {
  /** The reason, for our statistics. */
  reason?: 'too_expensive' | 'not_used' | 'missing_something' | 'went_elsewhere' | 'other' | undefined
}

export type SubscriptionCancelReply = {
  ok: true
  /** False if nothing was paid and the subscription ended at once. */
  cancelAtPeriodEnd: boolean
  effectiveAt: string
  subscription: Subscription
}

export type PaymentMethodsListReply = {
  paymentMethods: Card[]
}

export type PaymentMethodsAddBody = { [key: string]: unknown }

export type PaymentMethodsAddReply = {
  reference: string
  authorizationUrl: string
  amountMinor: bigint
  currency: string
}

export type PaymentMethodsSetDefaultBody = { [key: string]: unknown }

export type PaymentMethodsSetDefaultReply = {
  ok: true
  paymentMethod: Card
}

export type PaymentMethodsRemoveReply = {
  ok: true
}

export type WalletAutomaticTopupGetReply = AutomaticTopupState

export type WalletAutomaticTopupSetBody = AutomaticTopupRequest

export type WalletAutomaticTopupSetReply = AutomaticTopupState

export type WalletAutomaticTopupEndReply = Ok

export type BillingRunRenewalsBody = { [key: string]: unknown }

export type BillingRunRenewalsReply = {
  /** Paid and renewed. */
  charged: number
  /** No card paid; retried on the next scheduled day. */
  declined: number
  /** Still due, counted up to 1000: they may not be charged, or the next run continues. */
  skipped: number
  /** The bank requires a confirmation by the customer. */
  challenged: number
  /** The card provider has not confirmed the payment yet. */
  pending: number
  /** Cancelled for this date, or declined for the last time. */
  ended: number
  /** Renewed at no charge. */
  renewed: number
}

export type InvoicesPayBody = {
  /** Pay on the card provider's page instead of with a stored card. */
  hosted?: boolean | undefined
}

export type InvoicesPayReply = {
  paid: true
  invoiceId: string
} | {
  authorizationUrl: string
  reference: string
}

export type AdminCompsGetReply = CompOfOrg

export type AdminCompsGrantBody = {
  planCode: 'pro' | 'team' | 'enterprise'
  /** Default: until the comp is revoked. */
  until?: string | undefined
  reason: string
}

export type AdminCompsGrantReply = CompOfOrg

export type AdminCompsRevokeReply = Ok

export type ContactLeadBody = {
  name: string
  email: string
  message: string
  company?: string | undefined
  interest?: 'teams' | 'enterprise' | 'general' | undefined
  /** Omit this field. It detects programs that fill in every field. */
  website?: string | undefined
}

export type ContactLeadReply = {
  ok: true
  id: string
}

export type AdminLeadsListQuery = {
  limit?: number | undefined
  cursor?: string | undefined
}

export type AdminLeadsListReply = {
  leads: Array<{
    id: string
    name: string
    email: string
    company: string | null
    interest: 'teams' | 'enterprise' | 'general'
    message: string
    createdAt: string
  }>
  nextCursor: string | null
}

export type ReviewRulesReply = RuleList

export type ReviewCustomRulesListReply = CustomRuleList

export type ReviewCustomRulesPutBody = {
  /** The rule in YAML: `id`, `title`, `severity`, `cwe`, `languages`, `message`, `fix` and one of `call`, `flow` and `text`. See docs/custom-rules.md. */
  yaml: string
  /** Scans and reviews use only enabled rules. */
  enabled?: boolean | undefined
}

export type ReviewCustomRulesPutReply = CustomRule

export type ReviewCustomRulesRemoveReply = Ok

export type ReviewCustomRulesTestBody = {
  /** The rule in YAML: `id`, `title`, `severity`, `cwe`, `languages`, `message`, `fix` and one of `call`, `flow` and `text`. See docs/custom-rules.md. */
  yaml: string
  files: Array<{
    path: string
    content: string
  }>
}

export type ReviewCustomRulesTestReply = RuleTestReport

export type IndexGetQuery = {
  /** A repository, such as `acme/shop`, with its own paths. */
  repo?: string | undefined
}

export type IndexGetReply = IndexState

export type IndexAddBody = {
  /** A repository, such as `acme/shop`, with its own paths. */
  repo?: string | undefined
  /** At most 2000 per call. Files at indexed paths are replaced. Unchanged files cost nothing. */
  files: Array<{
    path: string
    content: string
  }>
  /** Commits, for searches for a change. The newest 5000 are kept. Free. */
  history?: {
    /** The name of the newest commit, such as its hash. */
    latest: string
    /** Adds `commits` to the stored history if this is its newest commit. Without it, the stored history is replaced. */
    after?: string | undefined
    /** The newest first, with the files that each commit changed. */
    commits: Array<{
      subject: string
      paths: string[]
    }>
  } | undefined
  /** Return what would be indexed, skipped and charged, without storing or charging anything. */
  preview?: boolean | undefined
  /** A call that would cost more is rejected and costs nothing. */
  maxCostMinor?: bigint | undefined
}

export type IndexAddReply = IndexReply

export type IndexClearQuery = {
  /** A repository, such as `acme/shop`, with its own paths. */
  repo?: string | undefined
  /** One path. Without it, the whole repository is removed. */
  path?: string | undefined
}

export type IndexClearReply = {
  /** Number of removed files. */
  cleared: number
}

export type IndexSearchBody = {
  /** A repository, such as `acme/shop`, with its own paths. */
  repo?: string | undefined
  /** A question, an error message or a name. */
  query: string
  limit?: number | undefined
  /** Only paths with one of these prefixes, such as `src/`. */
  paths?: string[] | undefined
  /** A model adds words to the query. Costs one call of the open lane. */
  rewrite?: boolean | undefined
  /** The maximum cost of `rewrite`. */
  maxCostMinor?: bigint | undefined
  /** Show the maximum cost of `rewrite` only. */
  preview?: boolean | undefined
}

export type IndexSearchReply = SearchReply

export type AgentQuoteBody = {
  /** The task. */
  prompt: string
  /** The files of the task: at most 200, with at most 1500000 characters in total. Files that exceed the context window are truncated, and the reply lists them. */
  context?: Array<{
    path: string
    content: string
  }> | undefined
  /** The indexed repository to take excerpts from. Default: `default`, or the only indexed one. */
  repo?: string | undefined
  /** True requests the frontier lane, if your policy allows it. */
  frontier?: boolean | undefined
  /** The most that it may cost. A task that needs more is refused with 402. */
  maxMinor?: bigint | undefined
  /** True sends secrets in `prompt` and `context` to the model. Otherwise files such as `.env` and values that look like secrets are withheld and listed in `withheld`. Ask the owner of the files first. */
  allowSecrets?: boolean | undefined
  /** Quotes a loop with this many iterations. */
  maxIters?: number | undefined
  /** Quotes a loop. */
  sandbox?: 'none' | 'local' | 'docker' | undefined
  testCmd?: string | undefined
}

export type AgentQuoteReply = AgentQuote

export type AgentRunBody = AgentRunRequest

export type AgentRunReply = AgentRunResult

export type AgentRunStreamBody = AgentRunRequest

export type AgentRunStreamFrame = {
  seq: number
  start: {
    id: string
    lane: 'open' | 'frontier'
    model: string
    maxMinor: bigint
    /** The usual cost: work of the last 30 days on the same model with a prompt of similar size. Null where too little is comparable. */
    usuallyMinor: UsualCost | null
  }
} | {
  seq: number
  delta: string
} | {
  seq: number
  step: 'plan' | 'edit' | 'repair'
  ok: boolean
  costMinor: bigint
  files?: Array<{
    path: string
    action: 'create' | 'update' | 'delete'
  }> | undefined
  failures?: Array<{
    path: string
    reason: string
  }> | undefined
} | {
  seq: number
  result: AgentRunResult
  cancelled: boolean
  totalCostMinor: bigint
  balanceMinor: bigint
}

export type AgentRunsListQuery = {
  kind?: 'run' | 'loop' | undefined
  status?: 'running' | 'completed' | 'cancelled' | 'failed' | undefined
  limit?: number | undefined
  cursor?: string | undefined
}

export type AgentRunsListReply = {
  runs: Array<{
    id: string
    userId: string
    kind: 'run' | 'loop'
    status: 'running' | 'completed' | 'cancelled' | 'failed'
    prompt: string
    lane: 'open' | 'frontier'
    model: string
    sandbox: 'none' | 'local' | 'docker'
    testCmd: string | null
    maxIters: number
    /** Dispatched and charged iterations. */
    iterations: number
    verified: boolean
    cancelled: boolean
    stopReason: string | null
    error?: string | undefined
    code?: string | undefined
    costMinor: bigint
    createdAt: string
    finishedAt: string | null
    result: {
      id: string
      plan: string
      summary: string
      lane: 'open' | 'frontier'
      model: string
      costMinor: bigint
      /** Findings of our rules in the change. */
      review?: { [key: string]: unknown } | undefined
      /** Partial: some intended changes are missing; `warnings` lists them. A run that intended changes and made none is free. */
      status?: 'complete' | 'partial' | undefined
      warnings?: string[] | undefined
      context?: AgentContext | undefined
      /** Secrets withheld from the model: whole files, or values with their line. `path` is a file, `prompt` or `test output`. Edits keep the values. Set `allowSecrets` to send them. */
      withheld?: Array<{
        path: string
        line?: number | undefined
        reason: string
      }> | undefined
      edits: Array<{
        path: string
        action: 'create' | 'update' | 'delete'
      }>
    } | null
  }>
  nextCursor: string | null
}

export type AgentRunsGetReply = AgentRun

export type AgentRunsStopBody = { [key: string]: unknown }

export type AgentRunsStopReply = AgentRun

export type AgentRunLoopBody = {
  /** The task. */
  prompt: string
  /** The files of the task: at most 200, with at most 1500000 characters in total. Files that exceed the context window are truncated, and the reply lists them. */
  context?: Array<{
    path: string
    content: string
  }> | undefined
  /** The indexed repository to take excerpts from. Default: `default`, or the only indexed one. */
  repo?: string | undefined
  /** True requests the frontier lane, if your policy allows it. */
  frontier?: boolean | undefined
  /** The most that it may cost. A task that needs more is refused with 402. */
  maxMinor?: bigint | undefined
  /** True sends secrets in `prompt` and `context` to the model. Otherwise files such as `.env` and values that look like secrets are withheld and listed in `withheld`. Ask the owner of the files first. */
  allowSecrets?: boolean | undefined
  sandbox?: 'none' | 'local' | 'docker' | undefined
  testCmd?: string | undefined
  maxIters?: number | undefined
  allowTestEdits?: boolean | undefined
}

export type AgentRunLoopFrame = {
  seq: number
  start: {
    id: string
    lane: 'open' | 'frontier'
    model: string
    sandbox: 'none' | 'local' | 'docker'
    maxIters: number
    maxMinor: bigint
    /** The usual cost: work of the last 30 days on the same model with a prompt of similar size. Null where too little is comparable. */
    usuallyMinor: UsualCost | null
  }
} | {
  seq: number
  delta: string
} | {
  seq: number
  step: 'plan' | 'edit' | 'verify' | 'retry'
  turn: number
  ok: boolean
  costMinor: bigint
  note?: string | undefined
  files?: Array<{
    path: string
    action: 'create' | 'update' | 'delete'
  }> | undefined
  failures?: Array<{
    path: string
    reason: string
  }> | undefined
  tests?: {
    passed: number
    failed: number
  } | undefined
  excerpt?: string | undefined
} | {
  seq: number
  result: AgentRunResult
  verified: boolean
  iterations: number
  cancelled: boolean
  totalCostMinor: bigint
  balanceMinor: bigint
  stopReason: 'verified' | 'not_verified' | 'max_iters' | 'stuck' | 'budget' | 'balance' | 'cancelled' | 'interrupted' | 'wall_clock' | 'suspended' | 'policy' | 'sandbox_failed' | 'upstream_error'
  id: string
  testsModified?: boolean | undefined
  evidence?: 'tests' | 'exit-code' | 'passed-before' | undefined
  tests?: {
    passed: number
    failed: number
  } | undefined
}

export type ChatThreadsListQuery = {
  limit?: number | undefined
  cursor?: string | undefined
  /** True lists archived conversations instead of active ones. */
  archived?: boolean | undefined
}

export type ChatThreadsListReply = {
  threads: Thread[]
  nextCursor: string | null
}

export type ChatThreadsCreateBody = {
  mode?: 'general' | 'code' | undefined
  /** Default: derived from the first question. */
  title?: string | undefined
}

export type ChatThreadsCreateReply = Thread

export type ChatThreadsReadQuery = {
  limit?: number | undefined
  /** `messagesCursor` of the previous reply; returns older messages. */
  cursor?: string | undefined
}

export type ChatThreadsReadReply = ThreadDetail

export type ChatThreadsChangeBody = {
  title?: string | undefined
  /** Applies to new messages. */
  mode?: 'general' | 'code' | undefined
  archived?: boolean | undefined
}

export type ChatThreadsChangeReply = Thread

export type ChatThreadsDeleteReply = Ok

export type ChatMessagesSendBody = {
  prompt: string
  /** In code mode, the indexed repository for excerpts. Default: `default`, or the only indexed repository. */
  repo?: string | undefined
  /** True selects the frontier lane if policy allows it. Default: as configured. */
  frontier?: boolean | undefined
  /** Maximum cost. The answer is shortened to fit, or refused with 402. */
  maxMinor?: bigint | undefined
  /** True sends values that look like secrets to the model. Otherwise the model receives placeholders. */
  allowSecrets?: boolean | undefined
}

export type ChatMessagesSendFrame = {
  delta: string
  /** Frame number in this stream, starting at 1. */
  seq: number
} | ChatLastFrame

export type ChatMessagesQuoteBody = {
  prompt: string
  /** In code mode, the indexed repository for excerpts. Default: `default`, or the only indexed repository. */
  repo?: string | undefined
  /** True selects the frontier lane if policy allows it. Default: as configured. */
  frontier?: boolean | undefined
  /** Maximum cost. The answer is shortened to fit, or refused with 402. */
  maxMinor?: bigint | undefined
  /** True sends values that look like secrets to the model. Otherwise the model receives placeholders. */
  allowSecrets?: boolean | undefined
}

export type ChatMessagesQuoteReply = {
  lane: 'open' | 'frontier'
  model: string
  /** Upper bound, including the conversation context. */
  promptTokens: number
  minMinor: bigint
  maxMinor: bigint
  /** The usual cost: work of the last 30 days on the same model with a prompt of similar size. Null where too little is comparable. */
  usuallyMinor: UsualCost | null
  balanceMinor: bigint
  /** Whether wallet and plan cover a useful answer. Your member cap is checked when you send. */
  affordable: boolean
  /** Secrets hidden from the model. `path` is `prompt`, `conversation` for earlier messages, or an indexed file. */
  withheld: Array<{
    path: string
    line?: number | undefined
    reason: string
  }>
}

export type ChatMessagesStopBody = { [key: string]: unknown }

export type ChatMessagesStopReply = {
  ok: true
  /** Whether an answer was running. */
  stopped: boolean
}

export type GatewayModelsReply = {
  object: 'list'
  data: GatewayModel[]
}

export type GatewayModelReply = GatewayModel

export type GatewayChatCompletionsBody = {
  /** `open`, `frontier`, or the id or an alias of a model of `GET /v1/models`. */
  model: string
  messages: Array<{ [key: string]: unknown }>
  stream?: boolean | null | undefined
  stream_options?: { [key: string]: unknown } | null | undefined
  max_tokens?: number | null | undefined
  max_completion_tokens?: number | null | undefined
  /** The number of answers. Each is charged. */
  n?: number | null | undefined
  tools?: Array<{ [key: string]: unknown }> | null | undefined
}

export type GatewayChatCompletionsFrame = {
  id: string
  object: 'chat.completion.chunk'
  created: number
  model: string
  choices: Array<{
    index: number
    delta: { [key: string]: unknown }
    finish_reason: string | null
  }>
  usage?: {
    prompt_tokens: number
    completion_tokens: number
    total_tokens: number
    cost_minor?: number | undefined
    balance_minor?: number | undefined
  } | null | undefined
}

export type GatewayResponsesBody = {
  /** `open`, `frontier`, or the id or an alias of a model of `GET /v1/models`. */
  model: string
  /** A text, or items. */
  input: string | Array<{ [key: string]: unknown }>
  instructions?: string | null | undefined
  stream?: boolean | null | undefined
  max_output_tokens?: number | null | undefined
  tools?: Array<{ [key: string]: unknown }> | null | undefined
  /** Stores the response for 30 days, so that another request can continue it. Default: false. */
  store?: boolean | null | undefined
  /** Continues a response that was stored with `store: true`. */
  previous_response_id?: string | null | undefined
  conversation?: null | undefined
  prompt?: null | undefined
  background?: boolean | null | undefined
}

export type GatewayResponsesFrame = {
  type: string
  sequence_number: number
}

export type GatewayEmbeddingsBody = {
  /** `open`, `frontier`, or the id or an alias of a model of `GET /v1/models`. */
  model: string
  input: string | string[] | number[] | Array<number[]>
  dimensions?: number | null | undefined
  encoding_format?: 'float' | 'base64' | null | undefined
}

export type GatewayEmbeddingsReply = {
  object: 'list'
  model: string
  data: Array<{
    object: 'embedding'
    index: number
    embedding: number[] | string
  }>
  usage: {
    prompt_tokens: number
    total_tokens: number
  }
}

export type GatewayReadResponseQuery = {
  stream?: string | undefined
}

export type GatewayReadResponseReply = {
  id: string
  object: 'response'
  created_at: number
  status: 'completed' | 'incomplete' | 'failed' | 'in_progress'
  model: string
  output: Array<{ [key: string]: unknown }>
  usage: {
    input_tokens: number
    output_tokens: number
    total_tokens: number
  } | null
}

export type GatewayDeleteResponseReply = {
  id: string
  object: 'response'
  deleted: true
}

export type GatewayListInputItemsQuery = {
  /** The items of a page. */
  limit?: number | undefined
  order?: 'asc' | 'desc' | undefined
  /** The id of the last item of the page before. */
  after?: string | undefined
}

export type GatewayListInputItemsReply = {
  object: 'list'
  data: Array<{ [key: string]: unknown }>
  first_id: string | null
  last_id: string | null
  has_more: boolean
}

export type GatewayMessagesBody = {
  /** `open`, `frontier`, or the id or an alias of a model of `GET /v1/models`. */
  model: string
  /** As Anthropic's: `user` and `assistant` messages with content blocks. */
  messages: Array<{ [key: string]: unknown }>
  system?: string | Array<{ [key: string]: unknown }> | null | undefined
  tools?: Array<{ [key: string]: unknown }> | null | undefined
  tool_choice?: { [key: string]: unknown } | null | undefined
  thinking?: { [key: string]: unknown } | null | undefined
  max_tokens: number
  stream?: boolean | null | undefined
}

export type GatewayMessagesFrame = {
  type: string
}

export type GatewayCountMessageTokensBody = {
  /** `open`, `frontier`, or the id or an alias of a model of `GET /v1/models`. */
  model: string
  /** As Anthropic's: `user` and `assistant` messages with content blocks. */
  messages: Array<{ [key: string]: unknown }>
  system?: string | Array<{ [key: string]: unknown }> | null | undefined
  tools?: Array<{ [key: string]: unknown }> | null | undefined
  tool_choice?: { [key: string]: unknown } | null | undefined
  thinking?: { [key: string]: unknown } | null | undefined
}

export type GatewayCountMessageTokensReply = {
  input_tokens: number
}

export type GatewayGeminiModelsQuery = {
  pageSize?: number | undefined
  pageToken?: string | undefined
}

export type GatewayGeminiModelsReply = {
  models: Array<{
    name: string
    version: string
    displayName: string
    description: string
    inputTokenLimit: number
    outputTokenLimit: number
    supportedGenerationMethods: string[]
    thinking?: boolean | undefined
  }>
  nextPageToken?: string | undefined
}

export type GatewayGeminiModelReply = {
  name: string
  version: string
  displayName: string
  description: string
  inputTokenLimit: number
  outputTokenLimit: number
  supportedGenerationMethods: string[]
  thinking?: boolean | undefined
}

export type GatewayGenerateContentBody = {
  /** As Google's: `user` and `model` contents with parts. */
  contents: Array<{ [key: string]: unknown }>
  systemInstruction?: { [key: string]: unknown } | null | undefined
  tools?: Array<{ [key: string]: unknown }> | null | undefined
  toolConfig?: { [key: string]: unknown } | null | undefined
  generationConfig?: { [key: string]: unknown } | null | undefined
}

export type GatewayGenerateContentReply = {
  candidates: Array<{
    content: { [key: string]: unknown }
    finishReason: string
    index: number
  }>
  usageMetadata: {
    promptTokenCount: number
    candidatesTokenCount: number
    totalTokenCount: number
  }
  modelVersion: string
  responseId: string
}

export type GatewayStreamGenerateContentBody = {
  /** As Google's: `user` and `model` contents with parts. */
  contents: Array<{ [key: string]: unknown }>
  systemInstruction?: { [key: string]: unknown } | null | undefined
  tools?: Array<{ [key: string]: unknown }> | null | undefined
  toolConfig?: { [key: string]: unknown } | null | undefined
  generationConfig?: { [key: string]: unknown } | null | undefined
}

export type GatewayStreamGenerateContentQuery = {
  /** `sse` for events. Otherwise the stream is a JSON array. */
  alt?: 'sse' | 'json' | undefined
}

export type GatewayStreamGenerateContentFrame = {
  candidates?: Array<{ [key: string]: unknown }> | undefined
  usageMetadata?: {
    promptTokenCount: number
    candidatesTokenCount: number
    totalTokenCount: number
  } | undefined
  modelVersion: string
  responseId: string
}

export type GatewayCountTokensBody = {
  /** As Google's: `user` and `model` contents with parts. */
  contents?: Array<{ [key: string]: unknown }> | undefined
  /** A whole request, instead of `contents`. */
  generateContentRequest?: { [key: string]: unknown } | undefined
}

export type GatewayCountTokensReply = {
  totalTokens: number
}

export type ProjectsListQuery = {
  limit?: number | undefined
  cursor?: string | undefined
}

export type ProjectsListReply = {
  projects: Project[]
  nextCursor: string | null
}

export type ProjectsCreateBody = {
  name: string
}

export type ProjectsCreateReply = Project

export type ProjectsReadReply = ProjectDetail

export type ProjectsRenameBody = {
  name: string
}

export type ProjectsRenameReply = Project

export type ProjectsMembersPutBody = {
  /** `viewer` can see the project and its files; `editor` can also change it. */
  access: 'viewer' | 'editor'
}

export type ProjectsMembersPutReply = {
  ok: true
  member: ProjectMember
}

export type ProjectsMembersRemoveReply = Ok

export type AttachmentsListQuery = {
  limit?: number | undefined
  cursor?: string | undefined
  /** Only items in this project. Default: all that you can see. */
  projectId?: string | undefined
}

export type AttachmentsListReply = {
  attachments: Attachment[]
  nextCursor: string | null
}

export type AttachmentsDeleteReply = Ok

export type ReviewScanBody = {
  files?: Array<{
    path: string
    content: string
  }> | undefined
  /** A unified diff. Together with `files`, it limits the findings to the lines that it changes. */
  diff?: string | undefined
}

export type ReviewScanReply = ScanReport

export type ReviewRunsListQuery = {
  limit?: number | undefined
  cursor?: string | undefined
  /** Only this repository, as `owner/name`. */
  repo?: string | undefined
}

export type ReviewRunsListReply = {
  runs: ReviewRun[]
  nextCursor: string | null
}

export type ReviewFindingsListQuery = {
  limit?: number | undefined
  cursor?: string | undefined
  /** Only this repository, as `owner/name`. */
  repo?: string | undefined
  status?: 'unadjudicated' | 'confirmed' | 'refuted' | 'unproven' | undefined
  severity?: 'error' | 'warn' | 'note' | undefined
}

export type ReviewFindingsListReply = {
  findings: ReviewFinding[]
  nextCursor: string | null
}

export type ReviewFindingsReadReply = ReviewFinding

export type ReviewFindingsAdjudicateBody = {
  verdict: 'confirmed' | 'refuted' | 'unproven'
  note?: string | null | undefined
}

export type ReviewFindingsAdjudicateReply = {
  finding: ReviewFinding
  creditedMinor: bigint
  balanceMinor: bigint
}

export type ReviewPrecisionQuery = {
  scope?: 'org' | 'all' | undefined
  days?: number | undefined
  minSample?: number | undefined
}

export type ReviewPrecisionReply = ReviewPrecision

export type WebhooksGithubReply = CodeHostWebhookReply

export type WebhooksGitlabReply = CodeHostWebhookReply

export type WebhooksBitbucketReply = CodeHostWebhookReply

export type VcsConnectionsCreateBody = {
  forge: 'gitlab' | 'bitbucket'
  /** The path, such as `group/project`. */
  repository: string
  /** An access token of the project or repository: on GitLab with the scope `api` and the role Developer, on Bitbucket with read access to the repository and write access to pull requests, and for replies with administration of the repository. */
  token: string
}

export type VcsConnectionsCreateReply = {
  installation: VcsInstallation
  /** Enter both in the webhook settings of the repository. The secret is shown once. */
  webhook: {
    url: string
    secret: string
  }
}

export type VcsConnectionsRemoveReply = VcsInstallation

export type VcsInstallationsListReply = {
  installations: VcsInstallation[]
}

export type VcsInstallationsClaimBody = {
  /** The number in the URL of its settings page on GitHub. */
  installationId: number | string
}

export type VcsInstallationsClaimReply = VcsInstallation

export type VcsInstallationsChangeBody = {
  /** Which findings make the check fail: none (off), errors of high confidence (errors), or all errors and warnings (strict). */
  blockingPolicy?: 'off' | 'errors' | 'strict' | undefined
  inlineComments?: boolean | undefined
  validationEnabled?: boolean | undefined
  threadReplies?: boolean | undefined
}

export type VcsInstallationsChangeReply = VcsInstallation

export type VcsInstallationsPermissionsReply = {
  required: Array<{
    permission: string
    access: string
    why: string
    isFatal: boolean
  }>
  /** Tasks need these to open pull requests and to answer comments. Reviews do not need them. */
  optional: Array<{
    permission: string
    access: string
    why: string
    isGranted: boolean
  }>
  granted: { [key: string]: string }
  events: string[]
  gaps: Array<{
    permission: string
    need: string
    have: string
    lost: string
    reason: string
  }>
}

export type TasksCreateBody = NewTask

export type TasksCreateReply = Task

export type TasksListQuery = {
  archived?: boolean | undefined
  running?: boolean | undefined
  /** A part of the title or of the name of the repository. */
  q?: string | undefined
  /** Only your own. Admins see all by default. */
  mine?: boolean | undefined
  limit?: number | undefined
  cursor?: string | undefined
}

export type TasksListReply = {
  tasks: TaskSummary[]
  nextCursor: string | null
}

export type TasksGetQuery = {
  /** Only so many turns, the newest ones. Default: all. */
  turns?: number | undefined
}

export type TasksGetReply = Task

export type TasksPatchBody = TaskPatch

export type TasksPatchReply = Task

export type TasksDeleteReply = Ok

export type TasksQuoteNewBody = {
  /** `open`, `frontier` or a model of GET /v1/models. Default: chosen for each turn. */
  model?: string | undefined
  /** The most that this turn may cost. Default: see the quote. */
  maxMinor?: bigint | undefined
  prompt?: string | undefined
  /** The budget that the task will have. */
  budgetMinor?: bigint | undefined
}

export type TasksQuoteNewReply = TaskTurnQuote

export type TasksQuoteBody = {
  /** `open`, `frontier` or a model of GET /v1/models. Default: chosen for each turn. */
  model?: string | undefined
  /** The most that this turn may cost. Default: see the quote. */
  maxMinor?: bigint | undefined
  prompt?: string | undefined
}

export type TasksQuoteReply = TaskTurnQuote

export type TasksTurnBody = NewTaskTurn

export type TasksTurnReply = StartedTaskTurn

export type TasksStreamQuery = {
  /** The `seq` of the last event that you have. Default: from the start. */
  after?: number | undefined
  /** `none` leaves `output` of `tool_result` empty, for a client that ran the tools itself. Default: short. */
  outputs?: 'short' | 'none' | undefined
}

export type TasksStreamFrame = TaskEvent

export type TasksStopReply = Task

export type TasksToolResultsBody = TaskToolResults

export type TasksToolResultsReply = {
  accepted: string[]
  /** Calls that already had a result. */
  ignored: string[]
  status: 'idle' | 'queued' | 'running' | 'waiting'
}

export type TasksToolOutputReply = {
  callId: string
  tool: string
  input: unknown
  ok: boolean | null
  /** Null while the call has no result. */
  output: string | null
}

export type TasksApproveBody = {
  /** The `approvalId` of the event, which is the id of the call. */
  approvalId: string
  allow: boolean
}

export type TasksApproveReply = Task

export type TasksDiffQuery = {
  /** A turn: only what changed after it. Default: all changes of the task. */
  from?: string | undefined
}

export type TasksDiffReply = TaskDiff

export type TasksFilesQuery = {
  /** A folder. Default: the root. */
  prefix?: string | undefined
}

export type TasksFilesReply = TaskFiles

export type TasksRevertBody = {
  turnId?: string | undefined
  /** Instead of a turn: the state after this change. 0 is the state before all changes. */
  change?: number | undefined
  /** The last change that you know. If there is a newer one, nothing is restored. */
  ifChange?: number | undefined
}

export type TasksRevertReply = {
  /** Paths that were restored. */
  changed: string[]
  /** The number of the last change of the workspace. */
  change: number
}

export type TasksRejectBody = TaskRejection

export type TasksRejectReply = RejectedTaskChanges

export type TasksPullRequestBody = {
  /** Default: made from the title of the task. */
  branch?: string | undefined
  title?: string | undefined
  body?: string | undefined
  /** Default: true. */
  draft?: boolean | undefined
}

export type TasksPullRequestReply = {
  url: string
  number: number
  branch: string
  isUpdate: boolean
}

export type VcsInstallationsRepositoriesReply = {
  repositories: Array<{
    repository: string
    defaultBranch: string
  }>
  /** False if there are more than 100. */
  isWhole: boolean
}

export type VcsInstallationsBranchesQuery = {
  repository: string
}

export type VcsInstallationsBranchesReply = {
  defaultBranch: string
  /** The default branch first. */
  branches: string[]
  /** False if there are more than 100. */
  isWhole: boolean
}

export type ResearchConfigReply = ResearchConfig

export type ResearchStartBody = {
  question: string
  depth?: 'quick' | 'standard' | 'exhaustive' | undefined
  /** The project of the run and its report files. Only those who see the project see the run. */
  projectId?: string | undefined
  conversationId?: string | undefined
  /** The maximum cost. Values above the platform ceiling are lowered to it. */
  budgetMinor?: bigint | undefined
  /** Let a model ask a clarifying question first, if the question is unclear. Its turn is charged. */
  clarify?: boolean | undefined
  /** Wait until you approve the plan with POST /research/{id}/plan. */
  approvePlan?: boolean | undefined
  /** False: use only your documents, repositories and the pages of the earlier run. */
  searchWeb?: boolean | undefined
  /** Names of indexed repositories (POST /repo/index) that are searched too. */
  repositories?: string[] | undefined
  /** Your own text, HTML, PDF or DOCX documents. Each counts as a page of the run and is kept with it. */
  documents?: Array<{
    name: string
    content: string
    encoding?: 'text' | 'base64' | undefined
  }> | undefined
}

export type ResearchStartReply = ResearchStarted

export type ResearchListQuery = {
  limit?: number | undefined
  cursor?: string | undefined
  /** Only items in this project. Default: all that you can see. */
  projectId?: string | undefined
}

export type ResearchListReply = {
  runs: ResearchSummary[]
  nextCursor: string | null
}

export type ResearchFollowUpBody = {
  question: string
  depth?: 'quick' | 'standard' | 'exhaustive' | undefined
  conversationId?: string | undefined
  /** The maximum cost. Values above the platform ceiling are lowered to it. */
  budgetMinor?: bigint | undefined
  /** Let a model ask a clarifying question first, if the question is unclear. Its turn is charged. */
  clarify?: boolean | undefined
  /** Wait until you approve the plan with POST /research/{id}/plan. */
  approvePlan?: boolean | undefined
  /** False: use only your documents, repositories and the pages of the earlier run. */
  searchWeb?: boolean | undefined
  /** Names of indexed repositories (POST /repo/index) that are searched too. */
  repositories?: string[] | undefined
  /** Your own text, HTML, PDF or DOCX documents. Each counts as a page of the run and is kept with it. */
  documents?: Array<{
    name: string
    content: string
    encoding?: 'text' | 'base64' | undefined
  }> | undefined
}

export type ResearchFollowUpReply = ResearchStarted

export type ResearchAnswerBody = {
  answer: string
}

export type ResearchAnswerReply = ResearchSummary

export type ResearchPlanBody = {
  /** The plan as you want it. Default: as proposed. */
  subquestions?: string[] | undefined
}

export type ResearchPlanReply = ResearchSummary

export type ResearchGetReply = ResearchRun

export type ResearchDeleteReply = Ok

export type ResearchSourceReply = ResearchSourceText

export type ResearchStreamQuery = {
  /** The last `seq` that you received. Default: `Last-Event-ID`, otherwise the start. */
  after?: number | undefined
}

export type ResearchStreamFrame = {
  /** The number of the frame within its run, from 1. */
  seq: number
  at: string
  kind: 'phase'
  phase: 'queued' | 'plan' | 'search' | 'read' | 'extract' | 'gap' | 'report' | 'done'
  pass?: number | undefined
} | {
  /** The number of the frame within its run, from 1. */
  seq: number
  at: string
  kind: 'plan'
  subquestions: string[]
  by: 'model' | 'rules' | 'user'
} | {
  /** The number of the frame within its run, from 1. */
  seq: number
  at: string
  kind: 'needs'
  needs: 'answer' | 'approval'
  questions: string[]
} | {
  /** The number of the frame within its run, from 1. */
  seq: number
  at: string
  kind: 'resumed'
  answer: string | null
} | {
  /** The number of the frame within its run, from 1. */
  seq: number
  at: string
  kind: 'search'
  pass: number
  query: string
  hits: number
  /** Why the search failed. */
  trouble: string | null
} | {
  /** The number of the frame within its run, from 1. */
  seq: number
  at: string
  kind: 'source'
  /** The number that the report cites. */
  n: number
  url: string
  title: string
  status: 'read' | 'failed' | 'skipped'
  /** Why it was not read. */
  reason: string | null
} | {
  id: string
  claim: string
  /** Occurs verbatim in the text of each source. */
  quote: string
  sources: number[]
  /** The number of the frame within its run, from 1. */
  seq: number
  at: string
  kind: 'finding'
} | {
  /** The number of the frame within its run, from 1. */
  seq: number
  at: string
  kind: 'turn'
  purpose: 'clarify' | 'plan' | 'extract' | 'gap' | 'report' | 'repair'
  lane: 'open' | 'frontier'
  model: string
  tokens: number
  costMinor: bigint
  spentMinor: bigint
} | {
  /** The number of the frame within its run, from 1. */
  seq: number
  at: string
  kind: 'warning'
  code: string
  message: string
} | {
  /** The number of the frame within its run, from 1. */
  seq: number
  at: string
  kind: 'report'
  files: Array<{
    id: string
    name: string
    contentType: string
    bytes: number
    url: string
  }>
} | {
  /** The number of the frame within its run, from 1. */
  seq: number
  at: string
  kind: 'done'
  status: 'running' | 'completed' | 'cancelled' | 'failed'
  stopReason: 'completed' | 'budget' | 'wall_clock' | 'cancelled' | 'error'
  spentMinor: bigint
  run: ResearchRun
}

export type ResearchCancelBody = { [key: string]: unknown }

export type ResearchCancelReply = ResearchSummary

export type MetricsOverviewQuery = {
  /** All organisations; platform staff only. */
  scope?: 'all' | undefined
  /** Default: your organisation. Another one is for platform staff only. */
  orgId?: string | undefined
}

export type MetricsOverviewReply = {
  scope: 'org' | 'all'
  /** Null for all organisations. */
  orgId: string | null
  /** The currency of all amounts in this object. For all organisations amounts are in kobo: the total of each currency is converted by the current rate card, rounded to the nearest kobo, then added. */
  currency: 'NGN' | 'KES' | 'GHS' | 'ZAR' | 'EGP' | 'UGX' | 'XOF' | 'XAF' | 'RWF' | 'TZS' | 'ZMW' | 'GNF' | 'USD'
  /** True if a sum in kobo exceeds 64 bits. It is replaced by the largest 64-bit number; only the figures by currency are exact. */
  clamped: boolean
  at: string
  wallet: {
    balanceMinor: bigint
    heldMinor: bigint
    includedMinor: bigint
  }
  usage: {
    /** Since midnight UTC. */
    today: {
      costMinor: bigint
      tokens: number
      turns: number
    }
    last30Days: {
      costMinor: bigint
      tokens: number
      turns: number
    }
  }
  /** From the ledger. */
  last30Days: {
    usageMinor: bigint
    allowanceMinor: bigint
    creditedMinor: bigint
    grantedMinor: bigint
    subscriptionMinor: bigint
  }
  subscriptions: {
    active: number
    pastDue: number
    comped: number
    monthlyMinor: bigint
  }
  /** Null for all organisations. */
  org: {
    name: string
    tier: string
    plan: string | null
    subscriptionStatus: string | null
    suspended: boolean
    kycStatus: string
    members: number
    activeUsers: number
    createdAt: string
    lastActiveAt: string | null
  } | null
  /** Null for one organisation. */
  fleet: {
    orgs: number
    closedOrgs: number
    users: number
    activeOrgs: number
    activeUsers: number
    payingOrgs: number
    suspendedOrgs: number
    kycPending: number
    paymentsInReview: number
  } | null
}

export type MetricsUsageQuery = {
  /** All organisations; platform staff only. */
  scope?: 'all' | undefined
  /** Default: your organisation. Another one is for platform staff only. */
  orgId?: string | undefined
  /** Default: 30 days before `to`. At most 366 days. */
  from?: string | undefined
  /** Exclusive. Default: now. */
  to?: string | undefined
}

export type MetricsUsageReply = {
  scope: 'org' | 'all'
  /** Null for all organisations. */
  orgId: string | null
  /** The currency of all amounts in this object. For all organisations amounts are in kobo: the total of each currency is converted by the current rate card, rounded to the nearest kobo, then added. */
  currency: 'NGN' | 'KES' | 'GHS' | 'ZAR' | 'EGP' | 'UGX' | 'XOF' | 'XAF' | 'RWF' | 'TZS' | 'ZMW' | 'GNF' | 'USD'
  /** True if a sum in kobo exceeds 64 bits. It is replaced by the largest 64-bit number; only the figures by currency are exact. */
  clamped: boolean
  from: string
  to: string
  totals: {
    costMinor: bigint
    tokens: number
    turns: number
    byLane: { [key: string]: {
        costMinor: bigint
        tokens: number
        turns: number
      } }
    bySource: { [key: string]: {
        costMinor: bigint
        tokens: number
        turns: number
      } }
    /** The 50 models with the most tokens; null for more than 31 days, because daily sums have no model. */
    byModel: Array<{
      costMinor: bigint
      tokens: number
      turns: number
      model: string
    }> | null
  }
  /** By UTC day, lane and source, oldest first, without empty rows. For all organisations each row is rounded. */
  rows: Array<{
    costMinor: bigint
    tokens: number
    turns: number
    day: string
    lane: string
    source: string
  }>
  /** The 200 members with the highest cost, for owners, admins and staff. Null for other callers, for keys and for all organisations. Background work has no member. */
  byMember: Array<{
    costMinor: bigint
    tokens: number
    turns: number
    userId: string | null
    email: string | null
  }> | null
}

export type MetricsTimeseriesQuery = {
  /** All organisations; platform staff only. */
  scope?: 'all' | undefined
  /** Default: your organisation. Another one is for platform staff only. */
  orgId?: string | undefined
  /** Default: all series except active users and organisations. */
  metric?: 'usage_minor' | 'allowance_minor' | 'net_credited_minor' | 'granted_minor' | 'subscription_minor' | 'tokens' | 'turns' | 'active_orgs' | 'active_users' | undefined
  /** In UTC. Weeks start on Monday. */
  interval?: 'hour' | 'day' | 'week' | 'month' | undefined
  /** Rounded down to the start of its interval. Default: 2 days, 30 days, half a year or a year before `to`, depending on the interval. At most 1096 days and 400 points. */
  from?: string | undefined
  /** Exclusive. Default: now. */
  to?: string | undefined
}

export type MetricsTimeseriesReply = {
  scope: 'org' | 'all'
  /** Null for all organisations. */
  orgId: string | null
  /** The currency of all amounts in this object. For all organisations amounts are in kobo: the total of each currency is converted by the current rate card, rounded to the nearest kobo, then added. */
  currency: 'NGN' | 'KES' | 'GHS' | 'ZAR' | 'EGP' | 'UGX' | 'XOF' | 'XAF' | 'RWF' | 'TZS' | 'ZMW' | 'GNF' | 'USD'
  /** True if a sum in kobo exceeds 64 bits. It is replaced by the largest 64-bit number; only the figures by currency are exact. */
  clamped: boolean
  interval: 'hour' | 'day' | 'week' | 'month'
  from: string
  to: string
  metrics: Array<'usage_minor' | 'allowance_minor' | 'net_credited_minor' | 'granted_minor' | 'subscription_minor' | 'tokens' | 'turns' | 'active_orgs' | 'active_users'>
  /** Every interval, including empty ones. */
  points: Array<{
    at: string
    /** Usage paid by wallets. */
    usageMinor?: bigint | undefined
    /** Usage paid by allowances. */
    allowanceMinor?: bigint | undefined
    /** Payments, including those for plans, minus reversals by providers. */
    netCreditedMinor?: bigint | undefined
    /** Refunds and adjustments by staff, without cash. */
    grantedMinor?: bigint | undefined
    /** Payments for plans minus refunds. */
    subscriptionMinor?: bigint | undefined
    tokens?: number | undefined
    turns?: number | undefined
    activeOrgs?: number | undefined
    activeUsers?: number | undefined
  }>
}

export type MetricsKpisQuery = {
  /** All organisations; platform staff only. */
  scope?: 'all' | undefined
  /** Default: your organisation. Another one is for platform staff only. */
  orgId?: string | undefined
  /** Number of days until now. */
  days?: number | undefined
}

export type MetricsKpisReply = {
  scope: 'org' | 'all'
  /** Null for all organisations. */
  orgId: string | null
  /** The currency of all amounts in this object. For all organisations amounts are in kobo: the total of each currency is converted by the current rate card, rounded to the nearest kobo, then added. */
  currency: 'NGN' | 'KES' | 'GHS' | 'ZAR' | 'EGP' | 'UGX' | 'XOF' | 'XAF' | 'RWF' | 'TZS' | 'ZMW' | 'GNF' | 'USD'
  /** True if a sum in kobo exceeds 64 bits. It is replaced by the largest 64-bit number; only the figures by currency are exact. */
  clamped: boolean
  from: string
  to: string
  days: number
  rateCardVersion: string
  compedSubscriptions: number
  mrrMinor: bigint
  allowanceUsedMinor: bigint
  netCreditedMinor: bigint
  grantedMinor: bigint
  subscriptionPaidMinor: bigint
  subscriptionMrrMinor: bigint
  activeSubscriptions: number
  pastDueMrrMinor: bigint
  pastDueSubscriptions: number
  floatMinor: bigint
  forfeitedMinor: bigint
  payingOrgs: number
  /** Average payment per paying organisation in these days; null if there is none. */
  arpuMinor: bigint | null
  margin: LaneMargin[]
  /** The same figures, exact, for each wallet currency. */
  byCurrency: Array<{
    currency: 'NGN' | 'KES' | 'GHS' | 'ZAR' | 'EGP' | 'UGX' | 'XOF' | 'XAF' | 'RWF' | 'TZS' | 'ZMW' | 'GNF' | 'USD'
    mrrMinor: bigint
    allowanceUsedMinor: bigint
    netCreditedMinor: bigint
    grantedMinor: bigint
    subscriptionPaidMinor: bigint
    subscriptionMrrMinor: bigint
    activeSubscriptions: number
    pastDueMrrMinor: bigint
    pastDueSubscriptions: number
    floatMinor: bigint
    forfeitedMinor: bigint
    payingOrgs: number
    /** Average payment per paying organisation in these days; null if there is none. */
    arpuMinor: bigint | null
    margin: LaneMargin[]
  }>
}

export type MetricsOrgsQuery = {
  /** Highest revenue, largest balance or latest use first. Amounts are compared in kobo. */
  sort?: 'revenue' | 'balance' | 'recent' | undefined
  limit?: number | undefined
  cursor?: string | undefined
}

export type MetricsOrgsReply = {
  orgs: Array<{
    orgId: string
    name: string
    tier: string
    plan: string | null
    /** The currency of its amounts. */
    currency: 'NGN' | 'KES' | 'GHS' | 'ZAR' | 'EGP' | 'UGX' | 'XOF' | 'XAF' | 'RWF' | 'TZS' | 'ZMW' | 'GNF' | 'USD'
    balanceMinor: bigint
    revenueMinor: bigint
    netCreditedMinor: bigint
    tokens: number
    /** Time of the last usage. */
    lastActiveAt: string | null
    suspended: boolean
  }>
  nextCursor: string | null
}

export type AdminSettingsListReply = {
  settings: PlatformSetting[]
  /** Stored keys that this build does not declare. They have no effect and can be cleared. */
  orphans: Array<{
    key: string
    value: unknown
    source: 'operator' | 'env'
    updatedAt: string
    updatedByEmail: string | null
  }>
  groups: Array<{
    id: string
    label: string
    blurb: string
  }>
  canManageRestricted: boolean
}

export type AdminSettingsSetBody = {
  value: unknown
}

export type AdminSettingsSetReply = {
  ok: true
  /** Null after clearing a key that this build does not declare. */
  setting: PlatformSetting | null
  /** Secrets that were cleared because their host setting changed. */
  cleared: string[]
}

export type AdminSettingsResetReply = {
  ok: true
  /** Null after clearing a key that this build does not declare. */
  setting: PlatformSetting | null
  /** Secrets that were cleared because their host setting changed. */
  cleared: string[]
}

export type AdminOrgsListQuery = {
  /** A part of the name, the id, or the start of the email address of a member. Case-insensitive. */
  q?: string | undefined
  suspended?: boolean | undefined
  tier?: 'individual' | 'team' | 'enterprise' | undefined
  kyc?: 'unsubmitted' | 'pending' | 'verified' | 'rejected' | undefined
  /** True lists only closed organisations. */
  closed?: boolean | undefined
  limit?: number | undefined
  cursor?: string | undefined
}

export type AdminOrgsListReply = {
  orgs: AdminOrg[]
  nextCursor: string | null
}

export type AdminOrgsGetReply = {
  org: AdminOrg
  wallet: {
    balanceMinor: bigint
    heldMinor: bigint
    availableMinor: bigint
    includedRemainingMinor: bigint
    currency: string
  }
  /** Owners first, then admins; at most 200. */
  members: Array<{
    userId: string
    email: string
    role: 'owner' | 'admin' | 'member'
    joinedAt: string
  }>
  /** The last 20 staff actions on this organisation, newest first. */
  staffActions: Array<{
    id: string
    action: string
    target: string | null
    actorEmail: string | null
    metadata: { [key: string]: unknown }
    createdAt: string
  }>
}

export type AdminOrgsSuspendBody = {
  /** Included in the email to owners and admins. */
  reason?: string | undefined
}

export type AdminOrgsSuspendReply = {
  ok: true
  orgId: string
  suspended: boolean
  /** False if it already had this state. */
  changed: boolean
}

export type AdminOrgsUnsuspendBody = { [key: string]: unknown }

export type AdminOrgsUnsuspendReply = {
  ok: true
  orgId: string
  suspended: boolean
  /** False if it already had this state. */
  changed: boolean
}

export type AdminPostureReply = {
  features: Array<{
    key: string
    label: string
    /** Names of the environment variables that control it. */
    env: string
    /** Whether it works for customers of this deployment. */
    live: boolean
    /** The effect. Never the value of a variable. */
    detail: string
  }>
}

export type AdminLedgerInvariantsQuery = {
  cursor?: string | undefined
}

export type AdminLedgerInvariantsReply = {
  /** Every check passes, and every currency sums to zero. */
  ok: boolean
  at: string
  checks: Array<{
    name: string
    /** The invariant that the check verifies. */
    holds: string
    ok: boolean
    /** False if it timed out; then the result is unknown. */
    finished: boolean
    checked: number
    violations: number
    /** Ids of the first violations, at most ten. */
    examples: string[]
  }>
  trialBalance: Array<{
    currency: string
    ok: boolean
    sumMinor: bigint
    accounts: Array<{
      account: string
      totalMinor: bigint
    }>
  }>
  /** Continues the hash check; null when it is complete. */
  nextCursor: string | null
}

export type AdminSecretsGetReply = SecretRotation

export type AdminSecretsResealReply = SecretRotation

export type AdminOperatorsListReply = {
  operators: Operator[]
  invites: OperatorInvite[]
}

export type AdminOperatorsGrantBody = {
  email: string
  /** One of support, billing, compliance, operator, super_admin. */
  role?: string | undefined
}

export type AdminOperatorsGrantReply = {
  ok: true
  changed: boolean
  operator: Operator
}

export type AdminOperatorsInviteBody = {
  email: string
  /** One of support, billing, compliance, operator, super_admin. */
  role?: string | undefined
}

export type AdminOperatorsInviteReply = {
  invite: OperatorInvite
  /** The mailed token. Never returned in production. */
  devToken?: string | undefined
}

export type AdminOperatorsRevokeInviteReply = Ok

export type AdminOperatorsChangeRoleBody = {
  /** One of support, billing, compliance, operator, super_admin. */
  role: string
}

export type AdminOperatorsChangeRoleReply = {
  ok: true
  changed: boolean
  userId: string
  role: 'support' | 'billing' | 'compliance' | 'operator' | 'super_admin'
  previousRole: 'support' | 'billing' | 'compliance' | 'operator' | 'super_admin'
}

export type AdminOperatorsRemoveReply = Ok

export type AuthOperatorInviteAcceptBody = {
  token: string
  /** Required if the address has no verified account; ignored otherwise. */
  password?: string | undefined
}

export type AuthOperatorInviteAcceptReply = {
  ok: true
  userId: string
  role: 'support' | 'billing' | 'compliance' | 'operator' | 'super_admin'
}

export type Api = {
  readonly system: {
    /** Say that the process is alive. `GET /health` */
    health(options?: CallOptions): Promise<SystemHealthReply>
    /** Say that the service can work: its database answers, and it is not about to stop. `GET /readyz` */
    ready(options?: CallOptions): Promise<SystemReadyReply>
    /** Say which build answers and which API version it speaks. `GET /version` */
    version(options?: CallOptions): Promise<SystemVersionReply>
    /** This document. `GET /openapi.json` */
    openapi(options?: CallOptions): Promise<SystemOpenapiReply>
    /** Numbers for Prometheus. `GET /metrics` */
    metrics(options?: CallOptions): Promise<string>
  }
  readonly transparency: {
    /** Show the name, the key and the signed size of the transparency log. `GET /transparency` */
    get(options?: CallOptions): Promise<TransparencyGetReply>
    /** Read the signed checkpoint of the transparency log. `GET /transparency/checkpoint` */
    checkpoint(options?: CallOptions): Promise<string>
    /** Read 256 hashes or entries of the transparency log. `GET /transparency/tile/{path}` */
    tile(path: string, options?: CallOptions): Promise<Uint8Array>
    /** Prove that the head of your wallet is in the transparency log. `GET /wallet/proof/transparency` */
    wallet(options?: CallOptions): Promise<TransparencyWalletReply>
  }
  readonly audit: {
    /** List the audit log of your organisation, newest first. `GET /audit` */
    list(query?: AuditListQuery, options?: CallOptions): Promise<AuditListReply>
    /** Verify the hash chain of the audit log. `GET /audit/verify` */
    verify(query?: AuditVerifyQuery, options?: CallOptions): Promise<AuditVerifyReply>
    readonly anchors: {
      /** Accept a chain after a database restore and anchor its head again. `POST /audit/anchors/accept` */
      accept(body: AuditAnchorsAcceptBody, options?: CallOptions): Promise<AuditAnchorsAcceptReply>
    }
  }
  readonly auth: {
    /** Get the sign-in methods and the default appearance of the app. `GET /auth/config` */
    config(options?: CallOptions): Promise<AuthConfigReply>
    /** Sign in by email address alone. Development only. `POST /auth/dev-login` */
    devLogin(body: AuthDevLoginBody, options?: CallOptions): Promise<AuthDevLoginReply>
    /** End the current session immediately. `POST /auth/logout` */
    logout(options?: CallOptions): Promise<AuthLogoutReply>
    /** Open an account and send a mail to confirm its address. `POST /auth/register` */
    register(body: AuthRegisterBody, options?: CallOptions): Promise<AuthRegisterReply>
    /** Confirm an address by opening the link in the mail. `GET /auth/verify` */
    verifyLink(query: AuthVerifyLinkQuery, options?: CallOptions): Promise<AuthVerifyLinkReply>
    /** Confirm an address with the token in the mail, and sign in the browser that registered. `POST /auth/verify` */
    verify(body: AuthVerifyBody, options?: CallOptions): Promise<AuthVerifyReply>
    /** Send the mail that confirms an address again. `POST /auth/verify/resend` */
    verifyResend(body: AuthVerifyResendBody, options?: CallOptions): Promise<AuthVerifyResendReply>
    /** Sign in with a password. `POST /auth/login` */
    login(body: AuthLoginBody, options?: CallOptions): Promise<AuthLoginReply>
    readonly password: {
      /** Send a link to choose a new password. `POST /auth/password/forgot` */
      forgot(body: AuthPasswordForgotBody, options?: CallOptions): Promise<AuthPasswordForgotReply>
      /** Set a new password with the token in the mail, and end every session of the account. `POST /auth/password/reset` */
      reset(body: AuthPasswordResetBody, options?: CallOptions): Promise<AuthPasswordResetReply>
      /** Replace your password, and end all other sessions. `POST /auth/password/change` */
      change(body: AuthPasswordChangeBody, options?: CallOptions): Promise<AuthPasswordChangeReply>
    }
    readonly magic: {
      /** Send a sign-in link. `POST /auth/magic/request` */
      request(body: AuthMagicRequestBody, options?: CallOptions): Promise<AuthMagicRequestReply>
      /** Sign in by opening the link in the mail. `GET /auth/magic/consume` */
      open(query: AuthMagicOpenQuery, options?: CallOptions): Promise<AuthMagicOpenReply>
      /** Sign in with the token in the mail. `POST /auth/magic/consume` */
      consume(body: AuthMagicConsumeBody, options?: CallOptions): Promise<AuthMagicConsumeReply>
    }
    readonly mfa: {
      /** Get the status of two-step sign-in, recovery codes and passkeys. `GET /auth/mfa` */
      get(options?: CallOptions): Promise<AuthMfaGetReply>
      /** Start the setup of an authenticator app. `POST /auth/mfa/enroll` */
      enroll(options?: CallOptions): Promise<AuthMfaEnrollReply>
      /** Turn two-step sign-in on with a first code, and receive the recovery codes. `POST /auth/mfa/verify` */
      verify(body: AuthMfaVerifyBody, options?: CallOptions): Promise<AuthMfaVerifyReply>
      /** Finish a sign-in with a code of the authenticator app or a recovery code. `POST /auth/mfa/challenge` */
      challenge(body: AuthMfaChallengeBody, options?: CallOptions): Promise<AuthMfaChallengeReply>
      /** Replace the recovery codes. Requires a code. `POST /auth/mfa/recovery-codes` */
      recoveryCodes(body: AuthMfaRecoveryCodesBody, options?: CallOptions): Promise<AuthMfaRecoveryCodesReply>
      /** Turn two-step sign-in off. Requires a code. `POST /auth/mfa/disable` */
      disable(body: AuthMfaDisableBody, options?: CallOptions): Promise<AuthMfaDisableReply>
    }
    readonly stepUp: {
      /** Get the options for confirming with a passkey that it is you. `POST /auth/step-up/options` */
      options(options?: CallOptions): Promise<AuthStepUpOptionsReply>
      /** Confirm that it is you with a code or a passkey. `POST /auth/step-up` */
      confirm(body?: AuthStepUpConfirmBody, options?: CallOptions): Promise<AuthStepUpConfirmReply>
    }
    readonly passkeys: {
      /** Get the options for creating a passkey. `POST /auth/passkeys/options` */
      options(options?: CallOptions): Promise<AuthPasskeysOptionsReply>
      /** Add the passkey that the browser created. `POST /auth/passkeys` */
      add(body: AuthPasskeysAddBody, options?: CallOptions): Promise<AuthPasskeysAddReply>
      /** List your passkeys, oldest first. Limit: 20. `GET /auth/passkeys` */
      list(options?: CallOptions): Promise<AuthPasskeysListReply>
      /** Remove a passkey. `DELETE /auth/passkeys/{id}` */
      remove(id: string, options?: CallOptions): Promise<AuthPasskeysRemoveReply>
      /** Get the options for a sign-in with a passkey. No address is required. `POST /auth/passkeys/sign-in/options` */
      signInOptions(options?: CallOptions): Promise<AuthPasskeysSignInOptionsReply>
      /** Sign in with a passkey, which replaces the password and the second step. `POST /auth/passkeys/sign-in` */
      signIn(body: AuthPasskeysSignInBody, options?: CallOptions): Promise<AuthPasskeysSignInReply>
    }
    readonly device: {
      /** Request an API key that a user approves in a browser. `POST /auth/device` */
      start(body?: AuthDeviceStartBody, options?: CallOptions): Promise<AuthDeviceStartReply>
      /** Collect the API key after the user has approved it. `POST /auth/device/token` */
      token(body: AuthDeviceTokenBody, options?: CallOptions): Promise<AuthDeviceTokenReply>
      /** Get the request of a program: its scopes and its address. `GET /auth/device/{userCode}` */
      get(userCode: string, options?: CallOptions): Promise<AuthDeviceGetReply>
      /** Approve a key for your active organisation. `POST /auth/device/{userCode}/approve` */
      approve(userCode: string, options?: CallOptions): Promise<AuthDeviceApproveReply>
      /** Deny the program, or revoke an approval before the key is collected. `POST /auth/device/{userCode}/deny` */
      deny(userCode: string, options?: CallOptions): Promise<AuthDeviceDenyReply>
    }
    readonly github: {
      /** Link a GitHub account with the token in the mail. `POST /auth/github/confirm` */
      confirm(body: AuthGithubConfirmBody, options?: CallOptions): Promise<AuthGithubConfirmReply>
      /** Show the GitHub account that is linked to yours. `GET /auth/github/account` */
      get(options?: CallOptions): Promise<AuthGithubGetReply>
      /** Start linking a GitHub account. Open the returned address in this browser. `POST /auth/github/account` */
      link(options?: CallOptions): Promise<AuthGithubLinkReply>
      /** Unlink your GitHub account. `DELETE /auth/github/account` */
      unlink(options?: CallOptions): Promise<AuthGithubUnlinkReply>
    }
    readonly email: {
      /** Cancel or undo a change of the email address with the token in the mail to the old one. `POST /auth/email/revert` */
      revert(body: AuthEmailRevertBody, options?: CallOptions): Promise<AuthEmailRevertReply>
    }
    readonly sso: {
      /** Describe this service to a SAML identity provider. `GET /auth/sso/saml/metadata` */
      samlMetadata(options?: CallOptions): Promise<Uint8Array>
      /** Receive the response of a SAML identity provider. `POST /auth/sso/saml/acs` */
      samlAcs(body: AuthSsoSamlAcsBody, options?: CallOptions): Promise<AuthSsoSamlAcsReply>
      /** Complete a SAML sign-in in the browser that started it. `GET /auth/sso/saml/finish` */
      samlFinish(query: AuthSsoSamlFinishQuery, options?: CallOptions): Promise<AuthSsoSamlFinishReply>
    }
    readonly operatorInvite: {
      /** Accept a staff invitation with the mailed token. `POST /auth/operator-invite/accept` */
      accept(body: AuthOperatorInviteAcceptBody, options?: CallOptions): Promise<AuthOperatorInviteAcceptReply>
    }
  }
  readonly me: {
    /** Change your name or the language of your mails. `PATCH /me` */
    update(body?: MeUpdateBody, options?: CallOptions): Promise<MeUpdateReply>
    /** Show your user, organisation, permissions and balance. `GET /me` */
    get(options?: CallOptions): Promise<MeGetReply>
    readonly sessions: {
      /** List your open sessions. `GET /me/sessions` */
      list(options?: CallOptions): Promise<MeSessionsListReply>
      /** End all your other sessions. `DELETE /me/sessions` */
      endOthers(options?: CallOptions): Promise<MeSessionsEndOthersReply>
      /** End one of your sessions immediately. `DELETE /me/sessions/{id}` */
      end(id: string, options?: CallOptions): Promise<MeSessionsEndReply>
    }
    /** List the organisations you belong to. `GET /me/orgs` */
    orgs(options?: CallOptions): Promise<MeOrgsReply>
    /** Switch organisation. `POST /me/org` */
    switchOrg(body: MeSwitchOrgBody, options?: CallOptions): Promise<MeSwitchOrgReply>
    readonly email: {
      /** Change the email address of your account. `POST /me/email` */
      change(body: MeEmailChangeBody, options?: CallOptions): Promise<MeEmailChangeReply>
      /** Cancel the change of your email address that waits for its confirmation. `DELETE /me/email` */
      cancel(options?: CallOptions): Promise<MeEmailCancelReply>
      /** Confirm your new email address with the token in the mail to it. `POST /me/email/confirm` */
      confirm(body: MeEmailConfirmBody, options?: CallOptions): Promise<MeEmailConfirmReply>
    }
    /** Get the features of your organisation and the source of each value. `GET /me/flags` */
    flags(options?: CallOptions): Promise<MeFlagsReply>
    /** Read your usage in the organisation. `GET /me/usage` */
    usage(query?: MeUsageQuery, options?: CallOptions): Promise<MeUsageReply>
  }
  readonly keys: {
    /** List your API keys in this organisation, newest first. `GET /auth/keys` */
    list(query?: KeysListQuery, options?: CallOptions): Promise<KeysListReply>
    /** Create an API key for this organisation. `POST /auth/keys` */
    create(body: KeysCreateBody, options?: CallOptions): Promise<KeysCreateReply>
    /** Change the name and the limits of an API key. `PATCH /auth/keys/{id}` */
    change(id: string, body?: KeysChangeBody, options?: CallOptions): Promise<KeysChangeReply>
    /** Revoke an API key immediately. `DELETE /auth/keys/{id}` */
    revoke(id: string, options?: CallOptions): Promise<KeysRevokeReply>
  }
  readonly orgs: {
    readonly sso: {
      /** Show an organisation’s single sign-on connection, without its secrets. `GET /orgs/{orgId}/sso` */
      get(orgId: string, options?: CallOptions): Promise<OrgsSsoGetReply>
      /** Connect an organisation to its identity provider, by OpenID Connect or SAML. `POST /orgs/{orgId}/sso` */
      add(orgId: string, body?: OrgsSsoAddBody, options?: CallOptions): Promise<OrgsSsoAddReply>
      /** Change an organisation’s connection. Missing fields keep their value. `PATCH /orgs/{orgId}/sso` */
      change(orgId: string, body?: OrgsSsoChangeBody, options?: CallOptions): Promise<OrgsSsoChangeReply>
      /** Delete an organisation’s connection and the identities linked through it. `DELETE /orgs/{orgId}/sso` */
      remove(orgId: string, options?: CallOptions): Promise<OrgsSsoRemoveReply>
      readonly domains: {
        /** List the email domains an organisation has claimed. `GET /orgs/{orgId}/sso/domains` */
        list(orgId: string, options?: CallOptions): Promise<OrgsSsoDomainsListReply>
        /** Claim an email domain. Call it again to check the TXT record. `POST /orgs/{orgId}/sso/domains` */
        add(orgId: string, body: OrgsSsoDomainsAddBody, options?: CallOptions): Promise<OrgsSsoDomainsAddReply>
        /** Remove an email domain from an organisation. `DELETE /orgs/{orgId}/sso/domains/{domain}` */
        remove(orgId: string, domain: string, options?: CallOptions): Promise<OrgsSsoDomainsRemoveReply>
      }
      readonly scim: {
        /** Show the base URL for a directory service, the verified domains and the SCIM tokens. `GET /orgs/{orgId}/sso/scim` */
        get(orgId: string, options?: CallOptions): Promise<OrgsSsoScimGetReply>
        /** Create a SCIM token. It is shown only once. `POST /orgs/{orgId}/sso/scim/tokens` */
        addToken(orgId: string, body: OrgsSsoScimAddTokenBody, options?: CallOptions): Promise<OrgsSsoScimAddTokenReply>
        /** Revoke a SCIM token immediately. `DELETE /orgs/{orgId}/sso/scim/tokens/{tokenId}` */
        revokeToken(orgId: string, tokenId: string, options?: CallOptions): Promise<OrgsSsoScimRevokeTokenReply>
      }
    }
    readonly flags: {
      /** Get the features of an organisation and the source of each value. `GET /orgs/{orgId}/flags` */
      list(orgId: string, options?: CallOptions): Promise<OrgsFlagsListReply>
      /** Turn a feature on or off for one organisation. `PUT /orgs/{orgId}/flags/{key}` */
      set(orgId: string, key: string, body: OrgsFlagsSetBody, options?: CallOptions): Promise<OrgsFlagsSetReply>
      /** Clear the override of a feature for one organisation. `DELETE /orgs/{orgId}/flags/{key}` */
      clear(orgId: string, key: string, options?: CallOptions): Promise<OrgsFlagsClearReply>
    }
    /** Allow sign-in with GitHub where single sign-on is required. `PATCH /orgs/{orgId}/sign-in` */
    signIn(orgId: string, body: OrgsSignInBody, options?: CallOptions): Promise<OrgsSignInReply>
    /** Export all data of your organisation as one JSON document. `GET /orgs/{orgId}/export` */
    export(orgId: string, options?: CallOptions): Promise<OrgsExportReply>
    /** Close an organisation permanently. `DELETE /orgs/{orgId}` */
    close(orgId: string, body: OrgsCloseBody, options?: CallOptions): Promise<OrgsCloseReply>
    readonly ipAllowList: {
      /** Show the addresses from which your organisation can be used. `GET /orgs/{orgId}/ip-allow-list` */
      get(orgId: string, options?: CallOptions): Promise<OrgsIpAllowListGetReply>
      /** Replace the addresses from which your organisation can be used. `PUT /orgs/{orgId}/ip-allow-list` */
      set(orgId: string, body: OrgsIpAllowListSetBody, options?: CallOptions): Promise<OrgsIpAllowListSetReply>
    }
  }
  readonly teams: {
    /** Create a team. You become its owner. `POST /teams` */
    create(body: TeamsCreateBody, options?: CallOptions): Promise<TeamsCreateReply>
    /** Rename a team. `PATCH /teams/{orgId}` */
    rename(orgId: string, body: TeamsRenameBody, options?: CallOptions): Promise<TeamsRenameReply>
    readonly members: {
      /** List the members of a team with roles and caps. `GET /teams/{orgId}/members` */
      list(orgId: string, query?: TeamsMembersListQuery, options?: CallOptions): Promise<TeamsMembersListReply>
      /** Add a member by email address. `POST /teams/{orgId}/members` */
      add(orgId: string, body: TeamsMembersAddBody, options?: CallOptions): Promise<TeamsMembersAddReply>
      /** Send the invitation again to a pending member. `POST /teams/{orgId}/members/{userId}/invite` */
      invite(orgId: string, userId: string, body?: TeamsMembersInviteBody, options?: CallOptions): Promise<TeamsMembersInviteReply>
      /** Change the role or the cap of a member. `PATCH /teams/{orgId}/members/{userId}` */
      change(orgId: string, userId: string, body?: TeamsMembersChangeBody, options?: CallOptions): Promise<TeamsMembersChangeReply>
      /** Remove a member. `DELETE /teams/{orgId}/members/{userId}` */
      remove(orgId: string, userId: string, options?: CallOptions): Promise<TeamsMembersRemoveReply>
    }
    /** Leave a team. `POST /teams/{orgId}/leave` */
    leave(orgId: string, body?: TeamsLeaveBody, options?: CallOptions): Promise<TeamsLeaveReply>
    /** Leave a team with the link from the invitation email. `POST /teams/leave` */
    leaveByLink(body: TeamsLeaveByLinkBody, options?: CallOptions): Promise<TeamsLeaveByLinkReply>
    /** Make a member an additional owner. `POST /teams/{orgId}/transfer` */
    transfer(orgId: string, body: TeamsTransferBody, options?: CallOptions): Promise<TeamsTransferReply>
    /** Read the usage of each member this month (UTC), and the rest of their caps. `GET /teams/{orgId}/usage` */
    usage(orgId: string, query?: TeamsUsageQuery, options?: CallOptions): Promise<TeamsUsageReply>
  }
  readonly kyc: {
    /** Submit the details of your business for verification. `POST /kyc` */
    submit(body: KycSubmitBody, options?: CallOptions): Promise<KycSubmitReply>
    /** Get the verification status of your organisation. `GET /kyc` */
    get(options?: CallOptions): Promise<KycGetReply>
  }
  readonly admin: {
    readonly kyc: {
      /** List the submissions of organisations, oldest first. `GET /admin/kyc` */
      list(query?: AdminKycListQuery, options?: CallOptions): Promise<AdminKycListReply>
      /** Verify or reject the submission of an organisation. `POST /admin/kyc/{orgId}/review` */
      review(orgId: string, body: AdminKycReviewBody, options?: CallOptions): Promise<AdminKycReviewReply>
    }
    readonly flags: {
      /** List feature flags with their overrides. `GET /admin/flags` */
      list(query?: AdminFlagsListQuery, options?: CallOptions): Promise<AdminFlagsListReply>
      /** Create or change a feature flag. `PUT /admin/flags/{key}` */
      set(key: string, body?: AdminFlagsSetBody, options?: CallOptions): Promise<AdminFlagsSetReply>
      /** Delete a feature flag and its overrides, which turns it off for everyone. `DELETE /admin/flags/{key}` */
      remove(key: string, options?: CallOptions): Promise<AdminFlagsRemoveReply>
      /** List the organisations that have an override of a feature flag. `GET /admin/flags/{key}/orgs` */
      orgs(key: string, query?: AdminFlagsOrgsQuery, options?: CallOptions): Promise<AdminFlagsOrgsReply>
    }
    readonly orgs: {
      /** Remove the IP allow list of an organisation that locked itself out. `DELETE /admin/orgs/{id}/ip-allow-list` */
      clearIpAllowList(id: string, options?: CallOptions): Promise<AdminOrgsClearIpAllowListReply>
      /** List all organisations, newest first. `GET /admin/orgs` */
      list(query?: AdminOrgsListQuery, options?: CallOptions): Promise<AdminOrgsListReply>
      /** Show an organisation with members, wallet and recent staff actions. `GET /admin/orgs/{id}` */
      get(id: string, options?: CallOptions): Promise<AdminOrgsGetReply>
      /** Suspend an organisation: paid work stops immediately. `POST /admin/orgs/{id}/suspend` */
      suspend(id: string, body?: AdminOrgsSuspendBody, options?: CallOptions): Promise<AdminOrgsSuspendReply>
      /** Reinstate a suspended organisation. `POST /admin/orgs/{id}/unsuspend` */
      unsuspend(id: string, body?: AdminOrgsUnsuspendBody, options?: CallOptions): Promise<AdminOrgsUnsuspendReply>
    }
    readonly approvals: {
      /** List money actions that wait for a second member of staff, newest first. `GET /admin/approvals` */
      list(query?: AdminApprovalsListQuery, options?: CallOptions): Promise<AdminApprovalsListReply>
      /** Approve or reject a money action of another member of staff. `POST /admin/approvals/{id}/decide` */
      decide(id: string, body: AdminApprovalsDecideBody, options?: CallOptions): Promise<AdminApprovalsDecideReply>
    }
    readonly providers: {
      /** List the providers of models with their health. `GET /admin/providers` */
      list(options?: CallOptions): Promise<AdminProvidersListReply>
      /** Add a provider of models. `POST /admin/providers` */
      create(body: AdminProvidersCreateBody, options?: CallOptions): Promise<AdminProvidersCreateReply>
      /** Change a provider of models. `PATCH /admin/providers/{id}` */
      change(id: string, body?: AdminProvidersChangeBody, options?: CallOptions): Promise<AdminProvidersChangeReply>
      /** Delete a provider of models that no model has a route to. `DELETE /admin/providers/{id}` */
      delete(id: string, options?: CallOptions): Promise<AdminProvidersDeleteReply>
    }
    readonly models: {
      /** List the models of the catalogue and the further routes of the lanes. `GET /admin/models` */
      list(options?: CallOptions): Promise<AdminModelsListReply>
      /** Create or replace a model, or set the further routes of the lane `open` or `frontier`. `PUT /admin/models/{id}` */
      set(id: string, body: AdminModelsSetBody, options?: CallOptions): Promise<AdminModelsSetReply>
      /** Delete a model. Its past prices are kept. `DELETE /admin/models/{id}` */
      delete(id: string, options?: CallOptions): Promise<AdminModelsDeleteReply>
    }
    readonly invoices: {
      /** List the invoices of one organisation for staff, newest first. `GET /admin/invoices` */
      list(query: AdminInvoicesListQuery, options?: CallOptions): Promise<AdminInvoicesListReply>
    }
    readonly einvoices: {
      /** List the registrations of invoices and credit notes with the tax authority, newest first. `GET /admin/einvoices` */
      list(query?: AdminEinvoicesListQuery, options?: CallOptions): Promise<AdminEinvoicesListReply>
      /** Send a rejected or unclear document to the tax authority again. `POST /admin/einvoices/{id}/retry` */
      retry(id: string, options?: CallOptions): Promise<AdminEinvoicesRetryReply>
    }
    readonly payments: {
      /** List payments of all organisations, newest first. `GET /admin/payments` */
      list(query?: AdminPaymentsListQuery, options?: CallOptions): Promise<AdminPaymentsListReply>
      /** Get one payment with its webhook events. `GET /admin/payments/{reference}` */
      get(reference: string, options?: CallOptions): Promise<AdminPaymentsGetReply>
      /** Credit or reject a payment that is under review. `POST /admin/payments/{reference}/resolve` */
      resolve(reference: string, body: AdminPaymentsResolveBody, options?: CallOptions): Promise<AdminPaymentsResolveReply>
      /** Reconcile a payment with its provider now. `POST /admin/payments/{reference}/check` */
      check(reference: string, body?: AdminPaymentsCheckBody, options?: CallOptions): Promise<AdminPaymentsCheckReply>
      /** Return money of a top-up to the card, account or phone that paid. `POST /admin/payments/{reference}/refund-to-source` */
      refundToSource(reference: string, body: AdminPaymentsRefundToSourceBody, options?: CallOptions): Promise<AdminPaymentsRefundToSourceReply>
      /** Decide a refund to the payer that the provider does not decide. `POST /admin/source-refunds/{id}/decide` */
      decideRefund(id: string, body: AdminPaymentsDecideRefundBody, options?: CallOptions): Promise<AdminPaymentsDecideRefundReply>
    }
    readonly paymentCases: {
      /** List refunds, disputes and webhooks that need attention, newest first. `GET /admin/payment-cases` */
      list(query?: AdminPaymentCasesListQuery, options?: CallOptions): Promise<AdminPaymentCasesListReply>
      /** Close a case with a note. `POST /admin/payment-cases/{id}/resolve` */
      resolve(id: string, body: AdminPaymentCasesResolveBody, options?: CallOptions): Promise<AdminPaymentCasesResolveReply>
      /** Assign a payment at the paybill to an organisation, and close its case. `POST /admin/payment-cases/{id}/assign` */
      assign(id: string, body: AdminPaymentCasesAssignBody, options?: CallOptions): Promise<AdminPaymentCasesAssignReply>
    }
    readonly disputes: {
      /** List disputes of payers with their banks: undecided ones by deadline. `GET /admin/disputes` */
      list(query?: AdminDisputesListQuery, options?: CallOptions): Promise<AdminDisputesListReply>
      /** Get one dispute with the evidence from our records. `GET /admin/disputes/{id}` */
      get(id: string, options?: CallOptions): Promise<AdminDisputesGetReply>
      /** Contest a dispute: send the evidence to the provider. `POST /admin/disputes/{id}/evidence` */
      contest(id: string, body: AdminDisputesContestBody, options?: CallOptions): Promise<AdminDisputesContestReply>
      /** Accept a dispute: the payer gets the disputed amount back. `POST /admin/disputes/{id}/accept` */
      accept(id: string, body: AdminDisputesAcceptBody, options?: CallOptions): Promise<AdminDisputesAcceptReply>
    }
    /** List payment rails with their accounts, health and webhook URLs. `GET /admin/rails` */
    rails(options?: CallOptions): Promise<AdminRailsReply>
    readonly railRoutes: {
      /** List the order of provider accounts for each channel and currency. `GET /admin/rails/routes` */
      list(options?: CallOptions): Promise<AdminRailRoutesListReply>
      /** Set the order of provider accounts for a channel and currency. `PUT /admin/rails/routes` */
      set(body: AdminRailRoutesSetBody, options?: CallOptions): Promise<AdminRailRoutesSetReply>
    }
    /** Show success rates, durations and fees of provider accounts by channel. `GET /admin/rails/performance` */
    railPerformance(options?: CallOptions): Promise<AdminRailPerformanceReply>
    /** Check the accounts of a payment provider with calls that move no money. `GET /admin/rails/{rail}/doctor` */
    railDoctor(rail: string, options?: CallOptions): Promise<AdminRailDoctorReply>
    readonly reconciliations: {
      /** List reconciliations of payments with their counts and state, newest first. `GET /admin/reconciliations` */
      list(query?: AdminReconciliationsListQuery, options?: CallOptions): Promise<AdminReconciliationsListReply>
      /** Reconcile a day of a provider account, again if it was reconciled. `POST /admin/reconciliations` */
      start(body: AdminReconciliationsStartBody, options?: CallOptions): Promise<AdminReconciliationsStartReply>
      /** Compare a bank statement with the payments of a provider account. `POST /admin/reconciliations/statement` */
      statement(body: AdminReconciliationsStatementBody, options?: CallOptions): Promise<AdminReconciliationsStatementReply>
    }
    /** Register the URLs of this service at M-Pesa for payments by hand. `POST /admin/rails/daraja/register-urls` */
    registerRailUrls(body?: AdminRegisterRailUrlsBody, options?: CallOptions): Promise<AdminRegisterRailUrlsReply>
    readonly comps: {
      /** Show the comp of an organisation. `GET /admin/orgs/{id}/comp` */
      get(id: string, options?: CallOptions): Promise<AdminCompsGetReply>
      /** Comp a plan for an organisation. `POST /admin/orgs/{id}/comp` */
      grant(id: string, body: AdminCompsGrantBody, options?: CallOptions): Promise<AdminCompsGrantReply>
      /** Revoke the comp of an organisation. `DELETE /admin/orgs/{id}/comp` */
      revoke(id: string, options?: CallOptions): Promise<AdminCompsRevokeReply>
    }
    readonly leads: {
      /** List contact requests, newest first. `GET /admin/leads` */
      list(query?: AdminLeadsListQuery, options?: CallOptions): Promise<AdminLeadsListReply>
    }
    readonly settings: {
      /** List all platform settings with effective values and their last editors. `GET /admin/settings` */
      list(options?: CallOptions): Promise<AdminSettingsListReply>
      /** Store a value for a platform setting. `PUT /admin/settings/{key}` */
      set(key: string, body: AdminSettingsSetBody, options?: CallOptions): Promise<AdminSettingsSetReply>
      /** Reset a platform setting to its default. `DELETE /admin/settings/{key}` */
      reset(key: string, options?: CallOptions): Promise<AdminSettingsResetReply>
    }
    /** List the features of this deployment and their state. `GET /admin/posture` */
    posture(options?: CallOptions): Promise<AdminPostureReply>
    readonly ledger: {
      /** Check the consistency of wallets, postings, holds, payments, refunds and invoices. `GET /admin/ledger/invariants` */
      invariants(query?: AdminLedgerInvariantsQuery, options?: CallOptions): Promise<AdminLedgerInvariantsReply>
    }
    readonly secrets: {
      /** Show the rotation of the service secret. `GET /admin/secrets` */
      get(options?: CallOptions): Promise<AdminSecretsGetReply>
      /** Seal the stored data again now instead of within the hour. `POST /admin/secrets/reseal` */
      reseal(options?: CallOptions): Promise<AdminSecretsResealReply>
    }
    readonly operators: {
      /** List platform staff and open invitations. `GET /admin/operators` */
      list(options?: CallOptions): Promise<AdminOperatorsListReply>
      /** Grant staff access to an existing account. `POST /admin/operators` */
      grant(body: AdminOperatorsGrantBody, options?: CallOptions): Promise<AdminOperatorsGrantReply>
      /** Invite a person to platform staff by email. `POST /admin/operators/invite` */
      invite(body: AdminOperatorsInviteBody, options?: CallOptions): Promise<AdminOperatorsInviteReply>
      /** Revoke an invitation. `POST /admin/operators/invite/{id}/revoke` */
      revokeInvite(id: string, options?: CallOptions): Promise<AdminOperatorsRevokeInviteReply>
      /** Change the tier of a staff member, effective from their next request. `PUT /admin/operators/{userId}/role` */
      changeRole(userId: string, body: AdminOperatorsChangeRoleBody, options?: CallOptions): Promise<AdminOperatorsChangeRoleReply>
      /** Remove staff access, effective from the next request. `DELETE /admin/operators/{userId}` */
      remove(userId: string, options?: CallOptions): Promise<AdminOperatorsRemoveReply>
    }
  }
  readonly policy: {
    /** Show the policy of an organisation: tier, isolation, region, lanes and sign-in. `GET /orgs/{orgId}/policy` */
    get(orgId: string, options?: CallOptions): Promise<PolicyGetReply>
    /** Change the policy of an organisation. Omitted fields stay unchanged. `PUT /orgs/{orgId}/policy` */
    change(orgId: string, body?: PolicyChangeBody, options?: CallOptions): Promise<PolicyChangeReply>
  }
  readonly hooks: {
    /** List the webhook event types, with an example of each. `GET /webhook-event-types` */
    eventTypes(options?: CallOptions): Promise<HooksEventTypesReply>
    readonly endpoints: {
      /** List the webhook endpoints of your organisation, oldest first. `GET /webhook-endpoints` */
      list(options?: CallOptions): Promise<HooksEndpointsListReply>
      /** Add a webhook endpoint that receives the events of your organisation. `POST /webhook-endpoints` */
      create(body: HooksEndpointsCreateBody, options?: CallOptions): Promise<HooksEndpointsCreateReply>
      /** Show one webhook endpoint. `GET /webhook-endpoints/{id}` */
      get(id: string, options?: CallOptions): Promise<HooksEndpointsGetReply>
      /** Change or enable a webhook endpoint. `PATCH /webhook-endpoints/{id}` */
      change(id: string, body?: HooksEndpointsChangeBody, options?: CallOptions): Promise<HooksEndpointsChangeReply>
      /** Remove a webhook endpoint and stop all its deliveries. `DELETE /webhook-endpoints/{id}` */
      remove(id: string, options?: CallOptions): Promise<HooksEndpointsRemoveReply>
      /** Create a new signing secret. The old one stays valid for a day. `POST /webhook-endpoints/{id}/rotate-secret` */
      rotateSecret(id: string, body?: HooksEndpointsRotateSecretBody, options?: CallOptions): Promise<HooksEndpointsRotateSecretReply>
      /** Send a `ping` to a webhook endpoint, even if it is disabled. `POST /webhook-endpoints/{id}/test` */
      test(id: string, body?: HooksEndpointsTestBody, options?: CallOptions): Promise<HooksEndpointsTestReply>
    }
    readonly deliveries: {
      /** List deliveries to a webhook endpoint in the last thirty days, newest first. `GET /webhook-endpoints/{id}/deliveries` */
      list(id: string, query?: HooksDeliveriesListQuery, options?: CallOptions): Promise<HooksDeliveriesListReply>
      /** Send the event of a delivery again, with the same `webhook-id`. `POST /webhook-deliveries/{id}/replay` */
      replay(id: string, body?: HooksDeliveriesReplayBody, options?: CallOptions): Promise<HooksDeliveriesReplayReply>
    }
  }
  readonly push: {
    readonly subscriptions: {
      /** List the browsers that receive your notifications, and the key to subscribe with. `GET /me/push-subscriptions` */
      list(options?: CallOptions): Promise<PushSubscriptionsListReply>
      /** Send notifications to a browser, or change their kinds and language. `POST /me/push-subscriptions` */
      save(body: PushSubscriptionsSaveBody, options?: CallOptions): Promise<PushSubscriptionsSaveReply>
      /** Stop the notifications to a browser. `DELETE /me/push-subscriptions/{id}` */
      remove(id: string, options?: CallOptions): Promise<PushSubscriptionsRemoveReply>
    }
  }
  readonly wallet: {
    /** Show the balance of your wallet and the part that is available. `GET /wallet` */
    get(options?: CallOptions): Promise<WalletGetReply>
    /** List the credits and debits of your wallet, newest first. `GET /wallet/ledger` */
    ledger(query?: WalletLedgerQuery, options?: CallOptions): Promise<WalletLedgerReply>
    /** Prove that your balance is the sum of its postings and that none was changed. `GET /wallet/proof` */
    proof(query?: WalletProofQuery, options?: CallOptions): Promise<WalletProofReply>
    /** List the postings of your wallet with every hashed field, oldest first. `GET /wallet/proof/movements` */
    movements(query?: WalletMovementsQuery, options?: CallOptions): Promise<WalletMovementsReply>
    readonly settings: {
      /** Show the low-balance threshold. `GET /wallet/settings` */
      get(options?: CallOptions): Promise<WalletSettingsGetReply>
      /** Set the low-balance threshold. `PATCH /wallet/settings` */
      set(body: WalletSettingsSetBody, options?: CallOptions): Promise<WalletSettingsSetReply>
    }
    /** Explain a ledger entry. `GET /wallet/ledger/{id}` */
    explain(id: string, options?: CallOptions): Promise<WalletExplainReply>
    /** List the payment channels for your currency, with their limits. `GET /wallet/channels` */
    channels(options?: CallOptions): Promise<WalletChannelsReply>
    /** Start a top-up. The reply says what the payer has to do. `POST /wallet/topup` */
    topup(body: WalletTopupBody, options?: CallOptions): Promise<WalletTopupReply>
    /** Verify a top-up with its provider, and credit it if it was paid. `POST /wallet/verify` */
    verify(body: WalletVerifyBody, options?: CallOptions): Promise<WalletVerifyReply>
    /** List your top-ups, newest first. `GET /wallet/topups` */
    topups(query?: WalletTopupsQuery, options?: CallOptions): Promise<WalletTopupsReply>
    /** Submit the code that the network sent to the payer, when a top-up has otpRequired. `POST /wallet/topups/{reference}/otp` */
    topupOtp(reference: string, body: WalletTopupOtpBody, options?: CallOptions): Promise<WalletTopupOtpReply>
    /** Credit a wallet: refund a payment, or adjust the balance. `POST /wallet/refund` */
    refund(body: WalletRefundBody, options?: CallOptions): Promise<WalletRefundReply>
    /** Show the paybill and your account number, for payments by hand in M-Pesa. `GET /wallet/paybill` */
    paybill(options?: CallOptions): Promise<WalletPaybillReply>
    readonly automaticTopup: {
      /** Show the automatic top-up of your organisation. `GET /wallet/automatic-topup` */
      get(options?: CallOptions): Promise<WalletAutomaticTopupGetReply>
      /** Charge a stored card automatically when your balance is low, or change or resume this. `PUT /wallet/automatic-topup` */
      set(body: WalletAutomaticTopupSetBody, options?: CallOptions): Promise<WalletAutomaticTopupSetReply>
      /** Turn automatic top-up off. `DELETE /wallet/automatic-topup` */
      end(options?: CallOptions): Promise<WalletAutomaticTopupEndReply>
    }
  }
  readonly usage: {
    /** List model calls with cost, tokens and timing, newest first. `GET /usage/requests` */
    requests(query?: UsageRequestsQuery, options?: CallOptions): Promise<UsageRequestsReply>
    /** Show calls, errors, cost, tokens and latency by hour or day. `GET /usage/requests/summary` */
    requestSummary(query?: UsageRequestSummaryQuery, options?: CallOptions): Promise<UsageRequestSummaryReply>
  }
  readonly invoices: {
    /** List the invoices of your organisation, newest first. `GET /invoices` */
    list(query?: InvoicesListQuery, options?: CallOptions): Promise<InvoicesListReply>
    /** Show an invoice with its credit notes. `GET /invoices/{id}` */
    get(id: string, options?: CallOptions): Promise<InvoicesGetReply>
    /** Show an invoice as a printable page or a PDF file. `GET /invoices/{id}/receipt` */
    receipt(id: string, query?: InvoicesReceiptQuery, options?: CallOptions): Promise<string>
    /** Pay an open invoice now. `POST /invoices/{id}/pay` */
    pay(id: string, body?: InvoicesPayBody, options?: CallOptions): Promise<InvoicesPayReply>
  }
  readonly creditNotes: {
    /** Show a credit note as a printable page or a PDF file. `GET /credit-notes/{id}/receipt` */
    receipt(id: string, query?: CreditNotesReceiptQuery, options?: CallOptions): Promise<string>
  }
  readonly billing: {
    readonly details: {
      /** Show the buyer details on your invoices. `GET /billing/details` */
      get(options?: CallOptions): Promise<BillingDetailsGetReply>
      /** Set the buyer details on your invoices. `PUT /billing/details` */
      set(body?: BillingDetailsSetBody, options?: CallOptions): Promise<BillingDetailsSetReply>
    }
    /** Show your wallet, plan, allowance and seats. `GET /billing/summary` */
    summary(options?: CallOptions): Promise<BillingSummaryReply>
    /** Charge the due renewals. `POST /internal/billing/run-renewals` */
    runRenewals(body?: BillingRunRenewalsBody, options?: CallOptions): Promise<BillingRunRenewalsReply>
  }
  readonly webhooks: {
    /** Receive a webhook of the card provider. `POST /webhooks/card_provider` */
    card(options?: CallOptions): Promise<WebhooksCardReply>
    /** Receive a webhook of M-Pesa. `POST /webhooks/mpesa` */
    mpesa(query?: WebhooksMpesaQuery, options?: CallOptions): Promise<WebhooksMpesaReply>
    /** Receive a webhook of MTN Mobile Money. `POST /webhooks/momo` */
    momo(query?: WebhooksMomoQuery, options?: CallOptions): Promise<WebhooksMomoReply>
    /** Receive a webhook of MTN Mobile Money from a market that uses PUT. `PUT /webhooks/momo` */
    momoPut(query?: WebhooksMomoPutQuery, options?: CallOptions): Promise<WebhooksMomoPutReply>
    /** Receive a webhook of any payment provider at its secret URL. `POST /webhooks/rail/{token}` */
    rail(token: string, options?: CallOptions): Promise<WebhooksRailReply>
    /** Receive a webhook of any payment provider that uses PUT. `PUT /webhooks/rail/{token}` */
    railPut(token: string, options?: CallOptions): Promise<WebhooksRailPutReply>
    /** Tell M-Pesa whether a payment by hand has a valid account number and amount. `POST /webhooks/paybill/{token}/validation` */
    paybillValidation(token: string, options?: CallOptions): Promise<WebhooksPaybillValidationReply>
    /** Receive the confirmation of a payment by hand from M-Pesa. `POST /webhooks/paybill/{token}/confirmation` */
    paybillConfirmation(token: string, options?: CallOptions): Promise<WebhooksPaybillConfirmationReply>
    /** Receive the answer of M-Pesa to a status query. `POST /webhooks/paybill/{token}/result/{inquiry}` */
    paybillResult(token: string, inquiry: string, options?: CallOptions): Promise<WebhooksPaybillResultReply>
    /** Learn that M-Pesa did not process a status query in time. `POST /webhooks/paybill/{token}/timeout/{inquiry}` */
    paybillTimeout(token: string, inquiry: string, options?: CallOptions): Promise<WebhooksPaybillTimeoutReply>
    /** Receive a GitHub webhook event. `POST /webhooks/github` */
    github(options?: CallOptions): Promise<WebhooksGithubReply>
    /** Receive a GitLab webhook event. `POST /webhooks/gitlab/{id}` */
    gitlab(id: string, options?: CallOptions): Promise<WebhooksGitlabReply>
    /** Receive a Bitbucket webhook event. `POST /webhooks/bitbucket/{id}` */
    bitbucket(id: string, options?: CallOptions): Promise<WebhooksBitbucketReply>
  }
  readonly plans: {
    /** List the plans in the currency of your organisation. `GET /plans` */
    list(options?: CallOptions): Promise<PlansListReply>
    /** List the plans publicly. `GET /public/plans` */
    public(query?: PlansPublicQuery, options?: CallOptions): Promise<PlansPublicReply>
  }
  readonly subscription: {
    /** Preview the cost of a subscription change, line by line. `POST /subscription/preview` */
    preview(body?: SubscriptionPreviewBody, options?: CallOptions): Promise<SubscriptionPreviewReply>
    /** Show your subscription, its plan and the remaining included usage. `GET /subscription` */
    get(options?: CallOptions): Promise<SubscriptionGetReply>
    /** Start a subscription. `POST /subscription/checkout` */
    checkout(body: SubscriptionCheckoutBody, options?: CallOptions): Promise<SubscriptionCheckoutReply>
    /** Change to another plan or interval. `POST /subscription/change` */
    change(body: SubscriptionChangeBody, options?: CallOptions): Promise<SubscriptionChangeReply>
    /** Change the number of seats. `POST /subscription/seats` */
    seats(body: SubscriptionSeatsBody, options?: CallOptions): Promise<SubscriptionSeatsReply>
    /** Cancel your subscription at the end of its period. `POST /subscription/cancel` */
    cancel(body?: SubscriptionCancelBody, options?: CallOptions): Promise<SubscriptionCancelReply>
  }
  readonly paymentMethods: {
    /** List the stored cards of your organisation, the default card first. `GET /payment-methods` */
    list(options?: CallOptions): Promise<PaymentMethodsListReply>
    /** Start adding a card with a small payment, which is credited to your wallet. `POST /payment-methods` */
    add(body?: PaymentMethodsAddBody, options?: CallOptions): Promise<PaymentMethodsAddReply>
    /** Make a card the default, which is charged first. `POST /payment-methods/{id}/default` */
    setDefault(id: string, body?: PaymentMethodsSetDefaultBody, options?: CallOptions): Promise<PaymentMethodsSetDefaultReply>
    /** Remove a stored card. `DELETE /payment-methods/{id}` */
    remove(id: string, options?: CallOptions): Promise<PaymentMethodsRemoveReply>
  }
  readonly contact: {
    /** Ask us to contact you. `POST /contact/lead` */
    lead(body: ContactLeadBody, options?: CallOptions): Promise<ContactLeadReply>
  }
  readonly review: {
    /** List the analysis rules with their meaning and fix. `GET /review/rules` */
    rules(options?: CallOptions): Promise<ReviewRulesReply>
    readonly customRules: {
      /** List the analysis rules of your organisation. `GET /review/custom-rules` */
      list(options?: CallOptions): Promise<ReviewCustomRulesListReply>
      /** Create or replace an analysis rule of your organisation. `PUT /review/custom-rules/{id}` */
      put(id: string, body: ReviewCustomRulesPutBody, options?: CallOptions): Promise<ReviewCustomRulesPutReply>
      /** Remove an analysis rule of your organisation. Earlier findings stay. `DELETE /review/custom-rules/{id}` */
      remove(id: string, options?: CallOptions): Promise<ReviewCustomRulesRemoveReply>
      /** Try a rule on files. Free; nothing is stored. `POST /review/custom-rules/test` */
      test(body: ReviewCustomRulesTestBody, options?: CallOptions): Promise<ReviewCustomRulesTestReply>
    }
    /** Scan files or a diff with the analysis rules. Free; nothing is stored. `POST /review/scan` */
    scan(body?: ReviewScanBody, options?: CallOptions): Promise<ReviewScanReply>
    readonly runs: {
      /** List pull request reviews, newest first. `GET /review/runs` */
      list(query?: ReviewRunsListQuery, options?: CallOptions): Promise<ReviewRunsListReply>
    }
    readonly findings: {
      /** List the findings of pull request reviews, newest first. `GET /review/findings` */
      list(query?: ReviewFindingsListQuery, options?: CallOptions): Promise<ReviewFindingsListReply>
      /** Show one finding with its verdict and its tested fix. `GET /review/findings/{id}` */
      read(id: string, options?: CallOptions): Promise<ReviewFindingsReadReply>
      /** Confirm or refute a finding. Refuting refunds its share of the cost once. `POST /review/findings/{id}/adjudicate` */
      adjudicate(id: string, body: ReviewFindingsAdjudicateBody, options?: CallOptions): Promise<ReviewFindingsAdjudicateReply>
    }
    /** Show the false positive rate of findings, based on their verdicts. `GET /review/precision` */
    precision(query?: ReviewPrecisionQuery, options?: CallOptions): Promise<ReviewPrecisionReply>
  }
  readonly index: {
    /** Show which code is indexed. `GET /repo/index` */
    get(query?: IndexGetQuery, options?: CallOptions): Promise<IndexGetReply>
    /** Index files for the agent, chat and search. `POST /repo/index` */
    add(body: IndexAddBody, options?: CallOptions): Promise<IndexAddReply>
    /** Remove a path of a repository from the index, or the whole repository. `DELETE /repo/index` */
    clear(query?: IndexClearQuery, options?: CallOptions): Promise<IndexClearReply>
    /** Search your indexed code. `POST /repo/search` */
    search(body: IndexSearchBody, options?: CallOptions): Promise<IndexSearchReply>
  }
  readonly agent: {
    /** Quote the cost of a run before it starts. `POST /agent/quote` */
    quote(body: AgentQuoteBody, options?: CallOptions): Promise<AgentQuoteReply>
    /** Return a plan and structured file edits for a prompt. `POST /agent/run` */
    run(body: AgentRunBody, options?: CallOptions): Promise<AgentRunReply>
    /** Return a plan and structured file edits for a prompt. `POST /agent/run` */
    runStream(body: AgentRunStreamBody, options?: CallOptions): AsyncGenerator<AgentRunStreamFrame, void, undefined>
    readonly runs: {
      /** List the runs and loops of your organisation, newest first. `GET /agent/runs` */
      list(query?: AgentRunsListQuery, options?: CallOptions): Promise<AgentRunsListReply>
      /** Get a run or loop with its whole result. `GET /agent/runs/{id}` */
      get(id: string, options?: CallOptions): Promise<AgentRunsGetReply>
      /** Stop a run or loop. `POST /agent/runs/{id}/stop` */
      stop(id: string, body?: AgentRunsStopBody, options?: CallOptions): Promise<AgentRunsStopReply>
    }
    /** Plan, edit, verify and retry until the tests pass, as a stream. `POST /agent/run-loop` */
    runLoop(body: AgentRunLoopBody, options?: CallOptions): AsyncGenerator<AgentRunLoopFrame, void, undefined>
  }
  readonly chat: {
    readonly threads: {
      /** List your conversations, most recently used first. `GET /chat/threads` */
      list(query?: ChatThreadsListQuery, options?: CallOptions): Promise<ChatThreadsListReply>
      /** Start a conversation. `POST /chat/threads` */
      create(body?: ChatThreadsCreateBody, options?: CallOptions): Promise<ChatThreadsCreateReply>
      /** Read a conversation with its newest messages. `GET /chat/threads/{id}` */
      read(id: string, query?: ChatThreadsReadQuery, options?: CallOptions): Promise<ChatThreadsReadReply>
      /** Rename, archive or unarchive a conversation, or change its mode. `PATCH /chat/threads/{id}` */
      change(id: string, body?: ChatThreadsChangeBody, options?: CallOptions): Promise<ChatThreadsChangeReply>
      /** Delete a conversation and all its messages. `DELETE /chat/threads/{id}` */
      delete(id: string, options?: CallOptions): Promise<ChatThreadsDeleteReply>
    }
    readonly messages: {
      /** Send a message and stream the answer. `POST /chat/threads/{id}/messages` */
      send(id: string, body: ChatMessagesSendBody, options?: CallOptions): AsyncGenerator<ChatMessagesSendFrame, void, undefined>
      /** Quote the maximum cost of a message before sending it. `POST /chat/threads/{id}/quote` */
      quote(id: string, body: ChatMessagesQuoteBody, options?: CallOptions): Promise<ChatMessagesQuoteReply>
      /** Stop the running answer. `POST /chat/threads/{id}/stop` */
      stop(id: string, body?: ChatMessagesStopBody, options?: CallOptions): Promise<ChatMessagesStopReply>
    }
  }
  readonly gateway: {
    /** List the models that your organisation can use now. `GET /v1/models` */
    models(options?: CallOptions): Promise<GatewayModelsReply>
    /** Read one model, by its id or an alias. `GET /v1/models/{id}` */
    model(id: string, options?: CallOptions): Promise<GatewayModelReply>
    /** Create a chat completion, complete or streamed. `POST /v1/chat/completions` */
    chatCompletions(body: GatewayChatCompletionsBody, options?: CallOptions): AsyncGenerator<GatewayChatCompletionsFrame, void, undefined>
    /** Create a response of the Responses API, complete or streamed. `POST /v1/responses` */
    responses(body: GatewayResponsesBody, options?: CallOptions): AsyncGenerator<GatewayResponsesFrame, void, undefined>
    /** Create embeddings. `POST /v1/embeddings` */
    embeddings(body: GatewayEmbeddingsBody, options?: CallOptions): Promise<GatewayEmbeddingsReply>
    /** Read a stored response. `GET /v1/responses/{id}` */
    readResponse(id: string, query?: GatewayReadResponseQuery, options?: CallOptions): Promise<GatewayReadResponseReply>
    /** Delete a stored response. `DELETE /v1/responses/{id}` */
    deleteResponse(id: string, options?: CallOptions): Promise<GatewayDeleteResponseReply>
    /** List the input items of a stored response. `GET /v1/responses/{id}/input_items` */
    listInputItems(id: string, query?: GatewayListInputItemsQuery, options?: CallOptions): Promise<GatewayListInputItemsReply>
    /** Create a message of the Anthropic Messages API, complete or streamed. `POST /v1/messages` */
    messages(body: GatewayMessagesBody, options?: CallOptions): AsyncGenerator<GatewayMessagesFrame, void, undefined>
    /** Count the input tokens of a message, free of charge. `POST /v1/messages/count_tokens` */
    countMessageTokens(body: GatewayCountMessageTokensBody, options?: CallOptions): Promise<GatewayCountMessageTokensReply>
    /** List the models that your organisation can use now, in the format of Gemini. `GET /v1beta/models` */
    geminiModels(query?: GatewayGeminiModelsQuery, options?: CallOptions): Promise<GatewayGeminiModelsReply>
    /** Read one model, by its id or an alias, in the format of Gemini. `GET /v1beta/models/{model}` */
    geminiModel(model: string, options?: CallOptions): Promise<GatewayGeminiModelReply>
    /** Generate an answer of the Gemini API. `POST /v1beta/models/{model}:generateContent` */
    generateContent(model: string, body: GatewayGenerateContentBody, options?: CallOptions): Promise<GatewayGenerateContentReply>
    /** Stream an answer of the Gemini API. `POST /v1beta/models/{model}:streamGenerateContent` */
    streamGenerateContent(model: string, body: GatewayStreamGenerateContentBody, query?: GatewayStreamGenerateContentQuery, options?: CallOptions): AsyncGenerator<GatewayStreamGenerateContentFrame, void, undefined>
    /** Count the input tokens of a request of the Gemini API, free of charge. `POST /v1beta/models/{model}:countTokens` */
    countTokens(model: string, body?: GatewayCountTokensBody, options?: CallOptions): Promise<GatewayCountTokensReply>
  }
  readonly projects: {
    /** List the projects that you can see, newest first. `GET /projects` */
    list(query?: ProjectsListQuery, options?: CallOptions): Promise<ProjectsListReply>
    /** Create a project. `POST /projects` */
    create(body: ProjectsCreateBody, options?: CallOptions): Promise<ProjectsCreateReply>
    /** Show a project with its members and newest files. `GET /projects/{id}` */
    read(id: string, options?: CallOptions): Promise<ProjectsReadReply>
    /** Rename a project. `PATCH /projects/{id}` */
    rename(id: string, body: ProjectsRenameBody, options?: CallOptions): Promise<ProjectsRenameReply>
    readonly members: {
      /** Add an organisation member to a project, or change their access. `PUT /projects/{id}/members/{userId}` */
      put(id: string, userId: string, body: ProjectsMembersPutBody, options?: CallOptions): Promise<ProjectsMembersPutReply>
      /** Remove a member from a project. `DELETE /projects/{id}/members/{userId}` */
      remove(id: string, userId: string, options?: CallOptions): Promise<ProjectsMembersRemoveReply>
    }
  }
  readonly attachments: {
    /** List the files that you can see, newest first. `GET /attachments` */
    list(query?: AttachmentsListQuery, options?: CallOptions): Promise<AttachmentsListReply>
    /** Download a file. `GET /attachments/{id}` */
    download(id: string, options?: CallOptions): Promise<Uint8Array>
    /** Delete a file permanently. `DELETE /attachments/{id}` */
    delete(id: string, options?: CallOptions): Promise<AttachmentsDeleteReply>
  }
  readonly vcs: {
    readonly connections: {
      /** Connect a repository of GitLab or Bitbucket, so that its pull requests are reviewed. `POST /vcs/connections` */
      create(body: VcsConnectionsCreateBody, options?: CallOptions): Promise<VcsConnectionsCreateReply>
      /** Disconnect a repository of GitLab or Bitbucket. Its token is erased. `DELETE /vcs/connections/{id}` */
      remove(id: string, options?: CallOptions): Promise<VcsConnectionsRemoveReply>
    }
    readonly installations: {
      /** List the installations and connections of your organisation, oldest first. `GET /vcs/installations` */
      list(options?: CallOptions): Promise<VcsInstallationsListReply>
      /** Claim an installation of the GitHub app, so that its pull requests are reviewed for your organisation. `POST /vcs/installations/claim` */
      claim(body: VcsInstallationsClaimBody, options?: CallOptions): Promise<VcsInstallationsClaimReply>
      /** Change the review settings of an installation. `PATCH /vcs/installations/{id}/settings` */
      change(id: string, body?: VcsInstallationsChangeBody, options?: CallOptions): Promise<VcsInstallationsChangeReply>
      /** Show the required and granted GitHub permissions, and the effect of missing ones. `GET /vcs/installations/{id}/permissions` */
      permissions(id: string, options?: CallOptions): Promise<VcsInstallationsPermissionsReply>
      /** List the repositories of an installation that a task can start from. `GET /vcs/installations/{id}/repositories` */
      repositories(id: string, options?: CallOptions): Promise<VcsInstallationsRepositoriesReply>
      /** List the branches of a repository. `GET /vcs/installations/{id}/branches` */
      branches(id: string, query: VcsInstallationsBranchesQuery, options?: CallOptions): Promise<VcsInstallationsBranchesReply>
    }
  }
  readonly tasks: {
    /** Create a task: a conversation with the agent about a workspace. `POST /tasks` */
    create(body: TasksCreateBody, options?: CallOptions): Promise<TasksCreateReply>
    /** List your tasks, last used first. `GET /tasks` */
    list(query?: TasksListQuery, options?: CallOptions): Promise<TasksListReply>
    /** Show a task with its turns, and what an open turn waits for. `GET /tasks/{id}` */
    get(id: string, query?: TasksGetQuery, options?: CallOptions): Promise<TasksGetReply>
    /** Change the title, model, budget or instructions of a task, or archive it. `PATCH /tasks/{id}` */
    patch(id: string, body?: TasksPatchBody, options?: CallOptions): Promise<TasksPatchReply>
    /** Delete a task with its transcript and files. `DELETE /tasks/{id}` */
    delete(id: string, options?: CallOptions): Promise<TasksDeleteReply>
    /** Quote the first turn of a task before the task exists. `POST /tasks/quote` */
    quoteNew(body?: TasksQuoteNewBody, options?: CallOptions): Promise<TasksQuoteNewReply>
    /** Quote the cost of a turn before it starts. `POST /tasks/{id}/quote` */
    quote(id: string, body?: TasksQuoteBody, options?: CallOptions): Promise<TasksQuoteReply>
    /** Start a turn: the agent works on a request. `POST /tasks/{id}/turns` */
    turn(id: string, body: TasksTurnBody, options?: CallOptions): Promise<TasksTurnReply>
    /** Follow a task: past events first, then new ones. `GET /tasks/{id}/stream` */
    stream(id: string, query?: TasksStreamQuery, options?: CallOptions): AsyncGenerator<TasksStreamFrame, void, undefined>
    /** Stop the turn under way. `POST /tasks/{id}/stop` */
    stop(id: string, options?: CallOptions): Promise<TasksStopReply>
    /** Send the results of tools that you ran for a client workspace. `POST /tasks/{id}/tool-results` */
    toolResults(id: string, body: TasksToolResultsBody, options?: CallOptions): Promise<TasksToolResultsReply>
    /** Show the whole result of a tool call. `GET /tasks/{id}/tool-results/{callId}` */
    toolOutput(id: string, callId: string, options?: CallOptions): Promise<TasksToolOutputReply>
    /** Allow or decline a call that needs an approval. `POST /tasks/{id}/approvals` */
    approve(id: string, body: TasksApproveBody, options?: CallOptions): Promise<TasksApproveReply>
    /** Show what the task changed. `GET /tasks/{id}/diff` */
    diff(id: string, query?: TasksDiffQuery, options?: CallOptions): Promise<TasksDiffReply>
    /** List a folder of the workspace as it is now. `GET /tasks/{id}/files` */
    files(id: string, query?: TasksFilesQuery, options?: CallOptions): Promise<TasksFilesReply>
    /** Read a file of the workspace as it is now. `GET /tasks/{id}/files/{path}` */
    file(id: string, path: string, options?: CallOptions): Promise<string>
    /** Restore the workspace as a turn or a change left it. `POST /tasks/{id}/revert` */
    revert(id: string, body?: TasksRevertBody, options?: CallOptions): Promise<TasksRevertReply>
    /** Reject changes of a task, by hunk or by file. `POST /tasks/{id}/reject` */
    reject(id: string, body: TasksRejectBody, options?: CallOptions): Promise<TasksRejectReply>
    /** Open a pull request with the changes of the task, or update it. `POST /tasks/{id}/pull-request` */
    pullRequest(id: string, body?: TasksPullRequestBody, options?: CallOptions): Promise<TasksPullRequestReply>
  }
  readonly research: {
    /** Show whether research is available, and the limits and prices of each depth. `GET /research/config` */
    config(options?: CallOptions): Promise<ResearchConfigReply>
    /** Start a research run that answers a question from the web with a cited report. `POST /research` */
    start(body: ResearchStartBody, options?: CallOptions): Promise<ResearchStartReply>
    /** List the research runs that you can see, newest first. `GET /research` */
    list(query?: ResearchListQuery, options?: CallOptions): Promise<ResearchListReply>
    /** Ask a further question about a finished run. `POST /research/{id}/follow-ups` */
    followUp(id: string, body: ResearchFollowUpBody, options?: CallOptions): Promise<ResearchFollowUpReply>
    /** Answer the clarifying question of a run, which then continues. `POST /research/{id}/answer` */
    answer(id: string, body: ResearchAnswerBody, options?: CallOptions): Promise<ResearchAnswerReply>
    /** Approve the plan of a run, or replace it. The run then continues. `POST /research/{id}/plan` */
    plan(id: string, body?: ResearchPlanBody, options?: CallOptions): Promise<ResearchPlanReply>
    /** Show a run with its plan, sources, findings and report files. `GET /research/{id}` */
    get(id: string, options?: CallOptions): Promise<ResearchGetReply>
    /** Delete a finished run with its sources and events. `DELETE /research/{id}` */
    delete(id: string, options?: CallOptions): Promise<ResearchDeleteReply>
    /** Show the stored text of a source, to verify quotes. `GET /research/{id}/sources/{n}` */
    source(id: string, n: string, options?: CallOptions): Promise<ResearchSourceReply>
    /** Follow a run: past events first, then new ones until it is done. `GET /research/{id}/stream` */
    stream(id: string, query?: ResearchStreamQuery, options?: CallOptions): AsyncGenerator<ResearchStreamFrame, void, undefined>
    /** Cancel a run. `POST /research/{id}/cancel` */
    cancel(id: string, body?: ResearchCancelBody, options?: CallOptions): Promise<ResearchCancelReply>
  }
  readonly metrics: {
    /** Show balance, usage and subscriptions of your organisation, today and over the last 30 days. `GET /metrics/overview` */
    overview(query?: MetricsOverviewQuery, options?: CallOptions): Promise<MetricsOverviewReply>
    /** Show usage by day, lane, source, model and member. `GET /metrics/usage` */
    usage(query?: MetricsUsageQuery, options?: CallOptions): Promise<MetricsUsageReply>
    /** Show usage and money over time. `GET /metrics/timeseries` */
    timeseries(query?: MetricsTimeseriesQuery, options?: CallOptions): Promise<MetricsTimeseriesReply>
    /** Show revenue, cash, subscriptions, float and margin. `GET /metrics/kpis` */
    kpis(query?: MetricsKpisQuery, options?: CallOptions): Promise<MetricsKpisReply>
    /** List all organisations with balance, revenue and usage of the last 30 days. `GET /metrics/orgs` */
    orgs(query?: MetricsOrgsQuery, options?: CallOptions): Promise<MetricsOrgsReply>
  }
}

/** Those of staff are in generated-staff.ts. */
export const operations: Readonly<Record<string, Operation>> = {
  'system.health': { method: 'GET', path: '/health' },
  'system.ready': { method: 'GET', path: '/readyz' },
  'system.version': { method: 'GET', path: '/version' },
  'system.openapi': { method: 'GET', path: '/openapi.json' },
  'system.metrics': { method: 'GET', path: '/metrics', reply: 'text' },
  'transparency.get': { method: 'GET', path: '/transparency' },
  'transparency.checkpoint': { method: 'GET', path: '/transparency/checkpoint', reply: 'text' },
  'transparency.tile': { method: 'GET', path: '/transparency/tile/{path}', reply: 'bytes' },
  'transparency.wallet': { method: 'GET', path: '/wallet/proof/transparency' },
  'audit.list': { method: 'GET', path: '/audit', query: true },
  'audit.verify': { method: 'GET', path: '/audit/verify', query: true },
  'audit.anchors.accept': { method: 'POST', path: '/audit/anchors/accept', body: true },
  'auth.config': { method: 'GET', path: '/auth/config' },
  'auth.devLogin': { method: 'POST', path: '/auth/dev-login', body: true },
  'auth.logout': { method: 'POST', path: '/auth/logout' },
  'me.update': { method: 'PATCH', path: '/me', body: true },
  'me.get': { method: 'GET', path: '/me' },
  'me.sessions.list': { method: 'GET', path: '/me/sessions' },
  'me.sessions.endOthers': { method: 'DELETE', path: '/me/sessions' },
  'me.sessions.end': { method: 'DELETE', path: '/me/sessions/{id}' },
  'me.orgs': { method: 'GET', path: '/me/orgs' },
  'me.switchOrg': { method: 'POST', path: '/me/org', body: true },
  'keys.list': { method: 'GET', path: '/auth/keys', query: true },
  'keys.create': { method: 'POST', path: '/auth/keys', body: true },
  'keys.change': { method: 'PATCH', path: '/auth/keys/{id}', body: true },
  'keys.revoke': { method: 'DELETE', path: '/auth/keys/{id}' },
  'auth.register': { method: 'POST', path: '/auth/register', body: true },
  'auth.verifyLink': { method: 'GET', path: '/auth/verify', query: true },
  'auth.verify': { method: 'POST', path: '/auth/verify', body: true },
  'auth.verifyResend': { method: 'POST', path: '/auth/verify/resend', body: true },
  'auth.login': { method: 'POST', path: '/auth/login', body: true },
  'auth.password.forgot': { method: 'POST', path: '/auth/password/forgot', body: true },
  'auth.password.reset': { method: 'POST', path: '/auth/password/reset', body: true },
  'auth.password.change': { method: 'POST', path: '/auth/password/change', body: true },
  'auth.magic.request': { method: 'POST', path: '/auth/magic/request', body: true },
  'auth.magic.open': { method: 'GET', path: '/auth/magic/consume', query: true },
  'auth.magic.consume': { method: 'POST', path: '/auth/magic/consume', body: true },
  'auth.mfa.get': { method: 'GET', path: '/auth/mfa' },
  'auth.mfa.enroll': { method: 'POST', path: '/auth/mfa/enroll' },
  'auth.mfa.verify': { method: 'POST', path: '/auth/mfa/verify', body: true },
  'auth.mfa.challenge': { method: 'POST', path: '/auth/mfa/challenge', body: true },
  'auth.stepUp.options': { method: 'POST', path: '/auth/step-up/options' },
  'auth.stepUp.confirm': { method: 'POST', path: '/auth/step-up', body: true },
  'auth.mfa.recoveryCodes': { method: 'POST', path: '/auth/mfa/recovery-codes', body: true },
  'auth.mfa.disable': { method: 'POST', path: '/auth/mfa/disable', body: true },
  'auth.passkeys.options': { method: 'POST', path: '/auth/passkeys/options' },
  'auth.passkeys.add': { method: 'POST', path: '/auth/passkeys', body: true },
  'auth.passkeys.list': { method: 'GET', path: '/auth/passkeys' },
  'auth.passkeys.remove': { method: 'DELETE', path: '/auth/passkeys/{id}' },
  'auth.passkeys.signInOptions': { method: 'POST', path: '/auth/passkeys/sign-in/options' },
  'auth.passkeys.signIn': { method: 'POST', path: '/auth/passkeys/sign-in', body: true },
  'auth.device.start': { method: 'POST', path: '/auth/device', body: true },
  'auth.device.token': { method: 'POST', path: '/auth/device/token', body: true },
  'auth.device.get': { method: 'GET', path: '/auth/device/{userCode}' },
  'auth.device.approve': { method: 'POST', path: '/auth/device/{userCode}/approve' },
  'auth.device.deny': { method: 'POST', path: '/auth/device/{userCode}/deny' },
  'auth.github.confirm': { method: 'POST', path: '/auth/github/confirm', body: true },
  'auth.github.get': { method: 'GET', path: '/auth/github/account' },
  'auth.github.link': { method: 'POST', path: '/auth/github/account' },
  'auth.github.unlink': { method: 'DELETE', path: '/auth/github/account' },
  'me.email.change': { method: 'POST', path: '/me/email', body: true },
  'me.email.cancel': { method: 'DELETE', path: '/me/email' },
  'me.email.confirm': { method: 'POST', path: '/me/email/confirm', body: true },
  'auth.email.revert': { method: 'POST', path: '/auth/email/revert', body: true },
  'auth.sso.samlMetadata': { method: 'GET', path: '/auth/sso/saml/metadata', reply: 'bytes' },
  'auth.sso.samlAcs': { method: 'POST', path: '/auth/sso/saml/acs', body: true },
  'auth.sso.samlFinish': { method: 'GET', path: '/auth/sso/saml/finish', query: true },
  'orgs.sso.get': { method: 'GET', path: '/orgs/{orgId}/sso' },
  'orgs.sso.add': { method: 'POST', path: '/orgs/{orgId}/sso', body: true },
  'orgs.sso.change': { method: 'PATCH', path: '/orgs/{orgId}/sso', body: true },
  'orgs.sso.remove': { method: 'DELETE', path: '/orgs/{orgId}/sso' },
  'orgs.sso.domains.list': { method: 'GET', path: '/orgs/{orgId}/sso/domains' },
  'orgs.sso.domains.add': { method: 'POST', path: '/orgs/{orgId}/sso/domains', body: true },
  'orgs.sso.domains.remove': { method: 'DELETE', path: '/orgs/{orgId}/sso/domains/{domain}' },
  'teams.create': { method: 'POST', path: '/teams', body: true },
  'teams.rename': { method: 'PATCH', path: '/teams/{orgId}', body: true },
  'teams.members.list': { method: 'GET', path: '/teams/{orgId}/members', query: true },
  'teams.members.add': { method: 'POST', path: '/teams/{orgId}/members', body: true },
  'teams.members.invite': { method: 'POST', path: '/teams/{orgId}/members/{userId}/invite', body: true },
  'teams.members.change': { method: 'PATCH', path: '/teams/{orgId}/members/{userId}', body: true },
  'teams.members.remove': { method: 'DELETE', path: '/teams/{orgId}/members/{userId}' },
  'teams.leave': { method: 'POST', path: '/teams/{orgId}/leave', body: true },
  'teams.leaveByLink': { method: 'POST', path: '/teams/leave', body: true },
  'teams.transfer': { method: 'POST', path: '/teams/{orgId}/transfer', body: true },
  'orgs.sso.scim.get': { method: 'GET', path: '/orgs/{orgId}/sso/scim' },
  'orgs.sso.scim.addToken': { method: 'POST', path: '/orgs/{orgId}/sso/scim/tokens', body: true },
  'orgs.sso.scim.revokeToken': { method: 'DELETE', path: '/orgs/{orgId}/sso/scim/tokens/{tokenId}' },
  'kyc.submit': { method: 'POST', path: '/kyc', body: true },
  'kyc.get': { method: 'GET', path: '/kyc' },
  'me.flags': { method: 'GET', path: '/me/flags' },
  'orgs.flags.list': { method: 'GET', path: '/orgs/{orgId}/flags' },
  'orgs.flags.set': { method: 'PUT', path: '/orgs/{orgId}/flags/{key}', body: true },
  'orgs.flags.clear': { method: 'DELETE', path: '/orgs/{orgId}/flags/{key}' },
  'policy.get': { method: 'GET', path: '/orgs/{orgId}/policy' },
  'policy.change': { method: 'PUT', path: '/orgs/{orgId}/policy', body: true },
  'orgs.signIn': { method: 'PATCH', path: '/orgs/{orgId}/sign-in', body: true },
  'orgs.export': { method: 'GET', path: '/orgs/{orgId}/export' },
  'orgs.close': { method: 'DELETE', path: '/orgs/{orgId}', body: true },
  'orgs.ipAllowList.get': { method: 'GET', path: '/orgs/{orgId}/ip-allow-list' },
  'orgs.ipAllowList.set': { method: 'PUT', path: '/orgs/{orgId}/ip-allow-list', body: true },
  'hooks.eventTypes': { method: 'GET', path: '/webhook-event-types' },
  'hooks.endpoints.list': { method: 'GET', path: '/webhook-endpoints' },
  'hooks.endpoints.create': { method: 'POST', path: '/webhook-endpoints', body: true },
  'hooks.endpoints.get': { method: 'GET', path: '/webhook-endpoints/{id}' },
  'hooks.endpoints.change': { method: 'PATCH', path: '/webhook-endpoints/{id}', body: true },
  'hooks.endpoints.remove': { method: 'DELETE', path: '/webhook-endpoints/{id}' },
  'hooks.endpoints.rotateSecret': { method: 'POST', path: '/webhook-endpoints/{id}/rotate-secret', body: true },
  'hooks.endpoints.test': { method: 'POST', path: '/webhook-endpoints/{id}/test', body: true },
  'hooks.deliveries.list': { method: 'GET', path: '/webhook-endpoints/{id}/deliveries', query: true },
  'hooks.deliveries.replay': { method: 'POST', path: '/webhook-deliveries/{id}/replay', body: true },
  'push.subscriptions.list': { method: 'GET', path: '/me/push-subscriptions' },
  'push.subscriptions.save': { method: 'POST', path: '/me/push-subscriptions', body: true },
  'push.subscriptions.remove': { method: 'DELETE', path: '/me/push-subscriptions/{id}' },
  'wallet.get': { method: 'GET', path: '/wallet' },
  'wallet.ledger': { method: 'GET', path: '/wallet/ledger', query: true },
  'wallet.proof': { method: 'GET', path: '/wallet/proof', query: true },
  'wallet.movements': { method: 'GET', path: '/wallet/proof/movements', query: true },
  'wallet.settings.get': { method: 'GET', path: '/wallet/settings' },
  'wallet.settings.set': { method: 'PATCH', path: '/wallet/settings', body: true },
  'wallet.explain': { method: 'GET', path: '/wallet/ledger/{id}' },
  'me.usage': { method: 'GET', path: '/me/usage', query: true },
  'teams.usage': { method: 'GET', path: '/teams/{orgId}/usage', query: true },
  'usage.requests': { method: 'GET', path: '/usage/requests', query: true },
  'usage.requestSummary': { method: 'GET', path: '/usage/requests/summary', query: true },
  'invoices.list': { method: 'GET', path: '/invoices', query: true },
  'invoices.get': { method: 'GET', path: '/invoices/{id}' },
  'invoices.receipt': { method: 'GET', path: '/invoices/{id}/receipt', query: true, reply: 'text' },
  'creditNotes.receipt': { method: 'GET', path: '/credit-notes/{id}/receipt', query: true, reply: 'text' },
  'billing.details.get': { method: 'GET', path: '/billing/details' },
  'billing.details.set': { method: 'PUT', path: '/billing/details', body: true },
  'wallet.channels': { method: 'GET', path: '/wallet/channels' },
  'wallet.topup': { method: 'POST', path: '/wallet/topup', body: true, idempotent: true },
  'wallet.verify': { method: 'POST', path: '/wallet/verify', body: true },
  'wallet.topups': { method: 'GET', path: '/wallet/topups', query: true },
  'wallet.topupOtp': { method: 'POST', path: '/wallet/topups/{reference}/otp', body: true },
  'wallet.refund': { method: 'POST', path: '/wallet/refund', body: true, idempotent: true },
  'webhooks.card': { method: 'POST', path: '/webhooks/card_provider' },
  'webhooks.mpesa': { method: 'POST', path: '/webhooks/mpesa', query: true },
  'webhooks.momo': { method: 'POST', path: '/webhooks/momo', query: true },
  'webhooks.momoPut': { method: 'PUT', path: '/webhooks/momo', query: true },
  'webhooks.rail': { method: 'POST', path: '/webhooks/rail/{token}' },
  'webhooks.railPut': { method: 'PUT', path: '/webhooks/rail/{token}' },
  'wallet.paybill': { method: 'GET', path: '/wallet/paybill' },
  'webhooks.paybillValidation': { method: 'POST', path: '/webhooks/paybill/{token}/validation' },
  'webhooks.paybillConfirmation': { method: 'POST', path: '/webhooks/paybill/{token}/confirmation' },
  'webhooks.paybillResult': { method: 'POST', path: '/webhooks/paybill/{token}/result/{inquiry}' },
  'webhooks.paybillTimeout': { method: 'POST', path: '/webhooks/paybill/{token}/timeout/{inquiry}' },
  'plans.list': { method: 'GET', path: '/plans' },
  'plans.public': { method: 'GET', path: '/public/plans', query: true },
  'subscription.preview': { method: 'POST', path: '/subscription/preview', body: true },
  'billing.summary': { method: 'GET', path: '/billing/summary' },
  'subscription.get': { method: 'GET', path: '/subscription' },
  'subscription.checkout': { method: 'POST', path: '/subscription/checkout', body: true, idempotent: true },
  'subscription.change': { method: 'POST', path: '/subscription/change', body: true, idempotent: true },
  'subscription.seats': { method: 'POST', path: '/subscription/seats', body: true, idempotent: true },
  'subscription.cancel': { method: 'POST', path: '/subscription/cancel', body: true },
  'paymentMethods.list': { method: 'GET', path: '/payment-methods' },
  'paymentMethods.add': { method: 'POST', path: '/payment-methods', body: true, idempotent: true },
  'paymentMethods.setDefault': { method: 'POST', path: '/payment-methods/{id}/default', body: true },
  'paymentMethods.remove': { method: 'DELETE', path: '/payment-methods/{id}' },
  'wallet.automaticTopup.get': { method: 'GET', path: '/wallet/automatic-topup' },
  'wallet.automaticTopup.set': { method: 'PUT', path: '/wallet/automatic-topup', body: true },
  'wallet.automaticTopup.end': { method: 'DELETE', path: '/wallet/automatic-topup' },
  'billing.runRenewals': { method: 'POST', path: '/internal/billing/run-renewals', body: true },
  'invoices.pay': { method: 'POST', path: '/invoices/{id}/pay', body: true, idempotent: true },
  'contact.lead': { method: 'POST', path: '/contact/lead', body: true },
  'review.rules': { method: 'GET', path: '/review/rules' },
  'review.customRules.list': { method: 'GET', path: '/review/custom-rules' },
  'review.customRules.put': { method: 'PUT', path: '/review/custom-rules/{id}', body: true },
  'review.customRules.remove': { method: 'DELETE', path: '/review/custom-rules/{id}' },
  'review.customRules.test': { method: 'POST', path: '/review/custom-rules/test', body: true },
  'index.get': { method: 'GET', path: '/repo/index', query: true },
  'index.add': { method: 'POST', path: '/repo/index', body: true, idempotent: true },
  'index.clear': { method: 'DELETE', path: '/repo/index', query: true },
  'index.search': { method: 'POST', path: '/repo/search', body: true, idempotent: true },
  'agent.quote': { method: 'POST', path: '/agent/quote', body: true },
  'agent.run': { method: 'POST', path: '/agent/run', body: true, idempotent: true },
  'agent.runStream': { method: 'POST', path: '/agent/run', body: true, idempotent: true, reply: 'stream' },
  'agent.runs.list': { method: 'GET', path: '/agent/runs', query: true },
  'agent.runs.get': { method: 'GET', path: '/agent/runs/{id}' },
  'agent.runs.stop': { method: 'POST', path: '/agent/runs/{id}/stop', body: true },
  'agent.runLoop': { method: 'POST', path: '/agent/run-loop', body: true, idempotent: true, reply: 'stream' },
  'chat.threads.list': { method: 'GET', path: '/chat/threads', query: true },
  'chat.threads.create': { method: 'POST', path: '/chat/threads', body: true },
  'chat.threads.read': { method: 'GET', path: '/chat/threads/{id}', query: true },
  'chat.threads.change': { method: 'PATCH', path: '/chat/threads/{id}', body: true },
  'chat.threads.delete': { method: 'DELETE', path: '/chat/threads/{id}' },
  'chat.messages.send': { method: 'POST', path: '/chat/threads/{id}/messages', body: true, idempotent: true, reply: 'stream' },
  'chat.messages.quote': { method: 'POST', path: '/chat/threads/{id}/quote', body: true },
  'chat.messages.stop': { method: 'POST', path: '/chat/threads/{id}/stop', body: true },
  'gateway.models': { method: 'GET', path: '/v1/models' },
  'gateway.model': { method: 'GET', path: '/v1/models/{id}' },
  'gateway.chatCompletions': { method: 'POST', path: '/v1/chat/completions', body: true, idempotent: true, reply: 'stream' },
  'gateway.responses': { method: 'POST', path: '/v1/responses', body: true, idempotent: true, reply: 'stream' },
  'gateway.embeddings': { method: 'POST', path: '/v1/embeddings', body: true, idempotent: true },
  'gateway.readResponse': { method: 'GET', path: '/v1/responses/{id}', query: true },
  'gateway.deleteResponse': { method: 'DELETE', path: '/v1/responses/{id}' },
  'gateway.listInputItems': { method: 'GET', path: '/v1/responses/{id}/input_items', query: true },
  'gateway.messages': { method: 'POST', path: '/v1/messages', body: true, idempotent: true, reply: 'stream' },
  'gateway.countMessageTokens': { method: 'POST', path: '/v1/messages/count_tokens', body: true },
  'gateway.geminiModels': { method: 'GET', path: '/v1beta/models', query: true },
  'gateway.geminiModel': { method: 'GET', path: '/v1beta/models/{model}' },
  'gateway.generateContent': { method: 'POST', path: '/v1beta/models/{model}:generateContent', body: true, idempotent: true },
  'gateway.streamGenerateContent': { method: 'POST', path: '/v1beta/models/{model}:streamGenerateContent', body: true, query: true, idempotent: true, reply: 'stream' },
  'gateway.countTokens': { method: 'POST', path: '/v1beta/models/{model}:countTokens', body: true },
  'projects.list': { method: 'GET', path: '/projects', query: true },
  'projects.create': { method: 'POST', path: '/projects', body: true },
  'projects.read': { method: 'GET', path: '/projects/{id}' },
  'projects.rename': { method: 'PATCH', path: '/projects/{id}', body: true },
  'projects.members.put': { method: 'PUT', path: '/projects/{id}/members/{userId}', body: true },
  'projects.members.remove': { method: 'DELETE', path: '/projects/{id}/members/{userId}' },
  'attachments.list': { method: 'GET', path: '/attachments', query: true },
  'attachments.download': { method: 'GET', path: '/attachments/{id}', reply: 'bytes' },
  'attachments.delete': { method: 'DELETE', path: '/attachments/{id}' },
  'review.scan': { method: 'POST', path: '/review/scan', body: true },
  'review.runs.list': { method: 'GET', path: '/review/runs', query: true },
  'review.findings.list': { method: 'GET', path: '/review/findings', query: true },
  'review.findings.read': { method: 'GET', path: '/review/findings/{id}' },
  'review.findings.adjudicate': { method: 'POST', path: '/review/findings/{id}/adjudicate', body: true },
  'review.precision': { method: 'GET', path: '/review/precision', query: true },
  'webhooks.github': { method: 'POST', path: '/webhooks/github' },
  'webhooks.gitlab': { method: 'POST', path: '/webhooks/gitlab/{id}' },
  'webhooks.bitbucket': { method: 'POST', path: '/webhooks/bitbucket/{id}' },
  'vcs.connections.create': { method: 'POST', path: '/vcs/connections', body: true },
  'vcs.connections.remove': { method: 'DELETE', path: '/vcs/connections/{id}' },
  'vcs.installations.list': { method: 'GET', path: '/vcs/installations' },
  'vcs.installations.claim': { method: 'POST', path: '/vcs/installations/claim', body: true },
  'vcs.installations.change': { method: 'PATCH', path: '/vcs/installations/{id}/settings', body: true },
  'vcs.installations.permissions': { method: 'GET', path: '/vcs/installations/{id}/permissions' },
  'tasks.create': { method: 'POST', path: '/tasks', body: true, idempotent: true },
  'tasks.list': { method: 'GET', path: '/tasks', query: true },
  'tasks.get': { method: 'GET', path: '/tasks/{id}', query: true },
  'tasks.patch': { method: 'PATCH', path: '/tasks/{id}', body: true },
  'tasks.delete': { method: 'DELETE', path: '/tasks/{id}' },
  'tasks.quoteNew': { method: 'POST', path: '/tasks/quote', body: true },
  'tasks.quote': { method: 'POST', path: '/tasks/{id}/quote', body: true },
  'tasks.turn': { method: 'POST', path: '/tasks/{id}/turns', body: true, idempotent: true },
  'tasks.stream': { method: 'GET', path: '/tasks/{id}/stream', query: true, reply: 'stream' },
  'tasks.stop': { method: 'POST', path: '/tasks/{id}/stop' },
  'tasks.toolResults': { method: 'POST', path: '/tasks/{id}/tool-results', body: true },
  'tasks.toolOutput': { method: 'GET', path: '/tasks/{id}/tool-results/{callId}' },
  'tasks.approve': { method: 'POST', path: '/tasks/{id}/approvals', body: true },
  'tasks.diff': { method: 'GET', path: '/tasks/{id}/diff', query: true },
  'tasks.files': { method: 'GET', path: '/tasks/{id}/files', query: true },
  'tasks.file': { method: 'GET', path: '/tasks/{id}/files/{path}', reply: 'text' },
  'tasks.revert': { method: 'POST', path: '/tasks/{id}/revert', body: true },
  'tasks.reject': { method: 'POST', path: '/tasks/{id}/reject', body: true, idempotent: true },
  'tasks.pullRequest': { method: 'POST', path: '/tasks/{id}/pull-request', body: true },
  'vcs.installations.repositories': { method: 'GET', path: '/vcs/installations/{id}/repositories' },
  'vcs.installations.branches': { method: 'GET', path: '/vcs/installations/{id}/branches', query: true },
  'research.config': { method: 'GET', path: '/research/config' },
  'research.start': { method: 'POST', path: '/research', body: true, idempotent: true },
  'research.list': { method: 'GET', path: '/research', query: true },
  'research.followUp': { method: 'POST', path: '/research/{id}/follow-ups', body: true, idempotent: true },
  'research.answer': { method: 'POST', path: '/research/{id}/answer', body: true, idempotent: true },
  'research.plan': { method: 'POST', path: '/research/{id}/plan', body: true, idempotent: true },
  'research.get': { method: 'GET', path: '/research/{id}' },
  'research.delete': { method: 'DELETE', path: '/research/{id}' },
  'research.source': { method: 'GET', path: '/research/{id}/sources/{n}' },
  'research.stream': { method: 'GET', path: '/research/{id}/stream', query: true, reply: 'stream' },
  'research.cancel': { method: 'POST', path: '/research/{id}/cancel', body: true },
  'metrics.overview': { method: 'GET', path: '/metrics/overview', query: true },
  'metrics.usage': { method: 'GET', path: '/metrics/usage', query: true },
  'metrics.timeseries': { method: 'GET', path: '/metrics/timeseries', query: true },
  'metrics.kpis': { method: 'GET', path: '/metrics/kpis', query: true },
  'metrics.orgs': { method: 'GET', path: '/metrics/orgs', query: true },
  'auth.operatorInvite.accept': { method: 'POST', path: '/auth/operator-invite/accept', body: true },
}

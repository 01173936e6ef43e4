// Indexes files: new and changed files are cut into chunks, the price of their tokens is held, the chunks are embedded, and one
// transaction stores them and settles the hold. Unchanged files and failed calls cost nothing.
import { ApiError } from '../kernel/errors.ts'
import type { OrgId } from '../kernel/ids.ts'
import {
  CallRecord,
  costOf,
  holdDeadline,
  priceOf,
  releaseTurn,
  renewHold,
  reserveTurn,
  settleTurnIn,
  type Turn,
  upstreamError,
} from '../metering/metering.ts'
import type { App } from '../platform/app.ts'
import type { Tx } from '../platform/db/tx.ts'
import type { Actor } from '../platform/http/actor.ts'
import type { CommittedReply, Once } from '../platform/http/idempotency/idempotency.ts'
import { UpstreamFailed } from '../platform/inference/inference.ts'
import { TaskTimeout } from '../platform/workers/workers.ts'
import { readSpendable, releaseByRef } from '../wallet/wallet.ts'
import { embeddedText } from './chunking/chunk.ts'
import { type ChunkedFile, chunkFiles } from './chunking/chunk-files.ts'
import { calibrate } from './embedding/calibrate.ts'
import { type Calibration, QUESTIONS } from './embedding/calibrate-task.ts'
import { type Embedder, embedderFor } from './embedding/embedder.ts'
import { filterFiles } from './filter/filter-files.ts'
import { maskPath } from './filter/mask-secrets.ts'
import type { IndexableFile, SkippedFile } from './filter/skip-reason.ts'
import { maskHistory, storeHistory } from './history/store-history.ts'
import { CHUNKS_PER_ORG_MAX, REPOS_PER_ORG_MAX } from './limits.ts'
import { fileIdOf, type RepoKey } from './repo-key.ts'
import type { IndexReply, IndexRequest, SentHistory } from './schema.ts'
import * as sql from './sql.ts'
import { storeFiles } from './store-files.ts'
import type { TaskContext } from './task-context.ts'

export async function indexFiles(
  app: App,
  actor: Actor,
  { files, repo, history: sentHistory, preview = false, maxCostMinor }: IndexRequest,
  once: Once,
  requestId: string,
): Promise<CommittedReply<IndexReply>> {
  if (app.config.retrieval !== 'vector') throw new ApiError('retrieval_not_vector')
  await releaseEarlierHolds(app, actor.orgId, once)
  // The work continues if the client disconnects. A retry then finds the files unchanged and pays nothing.
  const context = { owner: actor.orgId, signal: AbortSignal.timeout(INDEX_MS) }
  const embedder = embedderFor(app, actor.org)
  const key = { org: actor.orgId, repo }
  try {
    const { candidates, skipped } = await filterFiles(files, context)
    const { changed, unchanged } = await app.db.tx(actor.orgId, (tx) =>
      selectChanged(tx, actor, { key, candidates, model: embedder.model, isPaid: !preview }),
    )
    const chunked = await chunkFiles(changed, context)
    const history = sentHistory && (await maskHistory(sentHistory, context))
    const call: IndexCall = {
      ...{ app, actor, key, embedder, once, requestId, context, unchanged, history },
      skipped: [...skipped, ...chunked.skipped],
      files: chunked.files,
    }
    if (preview) return await previewCost(call)
    if (maxCostMinor !== undefined && costFor(call) > maxCostMinor) throw new ApiError('price_changed')
    return await (tokensIn(call.files) === 0 ? commit(call, null, null) : indexPaid(call))
  } catch (error) {
    throw await toApiError(app, error)
  }
}

// Shorter than the timeout of the route, so that the client receives the outcome.
const INDEX_MS = 4.5 * 60_000

type IndexCall = {
  readonly app: App
  readonly actor: Actor
  readonly key: RepoKey
  readonly embedder: Embedder
  readonly once: Once
  readonly requestId: string
  readonly context: TaskContext
  readonly skipped: readonly SkippedFile[]
  readonly unchanged: number
  readonly files: readonly ChunkedFile[]
  readonly history: SentHistory | undefined
}

type ChangeSelection = {
  readonly key: RepoKey
  readonly candidates: readonly IndexableFile[]
  readonly model: string
  readonly isPaid: boolean
}

async function selectChanged(tx: Tx, actor: Actor, { key, candidates, model, isPaid }: ChangeSelection) {
  const ids = candidates.map(({ path }) => fileIdOf(key, path))
  const known = new Map((await sql.findKnownFiles(tx, key.org, ids)).map((file) => [file.id, file]))
  const changed = candidates.filter(({ sha256 }, i) => !isUnchanged(known.get(ids[i] ?? ''), sha256, model))
  if (isPaid && changed.length > 0) await requireFunds(tx, actor)
  return { changed, unchanged: candidates.length - changed.length }
}

/** Rejects an empty wallet before the work starts. The exact cost is known only after chunking. */
async function requireFunds(tx: Tx, { orgId, userId }: Actor): Promise<void> {
  const { spendableMinor, availableMinor, includedRemainingMinor } = await readSpendable(tx, orgId, userId)
  if (spendableMinor > 0n) return
  const code = availableMinor + includedRemainingMinor > 0n ? 'member_cap_reached' : 'insufficient_funds'
  throw new ApiError(code, { requiredMinor: 1n, availableMinor: 0n })
}

const isUnchanged = (known: sql.KnownFile | undefined, sha256: string, model: string): boolean =>
  known?.sha256 === sha256 && known.model === model

const tokensIn = (files: readonly ChunkedFile[]): number =>
  files.reduce((sum, { chunks }) => sum + chunks.reduce((subtotal, { tokens }) => subtotal + tokens, 0), 0)

const costFor = ({ app, actor, files }: IndexCall): bigint =>
  costOf(priceOf(app, 'open', actor.org.currency), tokensIn(files))

/** The highest cost at the current price. Nothing is stored. */
function previewCost(call: IndexCall): Promise<CommittedReply<IndexReply>> {
  const { actor, key, embedder, once, files, skipped, unchanged, history } = call
  return once.commit(actor.orgId, async (tx) => ({
    indexed: files.length,
    unchanged,
    chunks: chunksIn(files),
    tokens: tokensIn(files),
    model: embedder.model,
    skipped: [...skipped],
    ...(history && { history: await storeHistory(tx, key, history, true) }),
    costMinor: costFor(call),
    balanceMinor: (await readSpendable(tx, actor.orgId, actor.userId)).balanceMinor,
  }))
}

async function indexPaid(call: IndexCall): Promise<CommittedReply<IndexReply>> {
  const { app, embedder, context } = call
  const isCalibrated = await requireCapacity(call)
  const turn = await reserve(call)
  const renewal = renewHold(app, turn)
  try {
    const texts = call.files.flatMap(({ path, chunks }) => {
      const shownPath = maskPath(path)
      return chunks.map((chunk) => ({ text: embeddedText(shownPath, chunk), tokens: chunk.tokens }))
    })
    const [embeddings, calibration] = await Promise.all([
      embedder.embed(texts, context),
      isCalibrated ? null : calibrate(call.files, embedder, context),
    ])
    return await commit(call, { turn, embeddings }, calibration)
  } catch (error) {
    const failure = await toApiError(app, error)
    turn.record?.fail(failure)
    await releaseHold(app, turn)
    throw failure
  } finally {
    clearInterval(renewal)
  }
}

/**
 * Checks the limits before money is held. The storing transaction checks them again under its lock. Returns whether the repository is
 * calibrated with as many queries as possible.
 */
async function requireCapacity({ app, key, files }: IndexCall): Promise<boolean> {
  const { org } = key
  const ids = files.map(({ path }) => fileIdOf(key, path))
  return app.db.tx(org, async (tx) => {
    await requireRepoLimit(tx, key)
    const replaced = (await sql.findKnownFiles(tx, org, ids)).reduce((sum, { chunks }) => sum + chunks, 0)
    requireChunkLimit((await sql.countChunks(tx, org)) - replaced + chunksIn(files))
    return ((await sql.findIndexVersions(tx, key))?.queries ?? 0) >= QUESTIONS.most
  })
}

async function requireRepoLimit(tx: Tx, key: RepoKey): Promise<void> {
  if ((await sql.countOtherRepos(tx, key)) >= REPOS_PER_ORG_MAX)
    throw new ApiError('limit_reached', {
      error: `An organisation can index at most ${REPOS_PER_ORG_MAX} repositories. Remove one with DELETE /repo/index?repo=… first.`,
    })
}

const chunksIn = (files: readonly ChunkedFile[]): number =>
  files.reduce((sum, { chunks }) => sum + chunks.length, 0)

function requireChunkLimit(chunks: number): void {
  if (chunks > CHUNKS_PER_ORG_MAX)
    throw new ApiError('limit_reached', {
      error: `The index would have ${chunks} chunks; the limit is ${CHUNKS_PER_ORG_MAX}. Remove paths first.`,
    })
}

/** The reference of the hold of one attempt under an idempotency key. */
const holdRef = ({ id }: Once, attempt: number): string => `ixr_${id.slice('idem_'.length)}.${attempt}`

/** Releases holds of earlier attempts that crashed. */
async function releaseEarlierHolds(app: App, orgId: OrgId, once: Once): Promise<void> {
  if (once.attempt === 1) return
  await app.db.tx(orgId, async (tx) => {
    for (let n = Math.max(1, once.attempt - EARLIER_ATTEMPTS_MAX); n < once.attempt; n++)
      await releaseByRef(app, tx, { orgId, ref: holdRef(once, n) })
  })
}

// Holds of older attempts have already expired.
const EARLIER_ATTEMPTS_MAX = 5

function reserve({ app, actor, embedder, once, requestId, files }: IndexCall): Promise<Turn> {
  const { orgId, userId, keyId } = actor
  const work = { route: 'index', model: embedder.model, provider: null, requestId }
  return reserveTurn(app, {
    orgId,
    userId,
    keyId,
    record: new CallRecord(app, { orgId, userId, keyId, ...work }),
    currency: actor.org.currency,
    ref: holdRef(once, once.attempt),
    source: 'index',
    lane: 'open',
    model: embedder.model,
    promptTokens: tokensIn(files),
    outputCeiling: 0,
    leastOutput: 0,
    spentMicroKobo: 0n,
    deadline: holdDeadline(app),
  })
}

type PaidEmbeddings = { readonly turn: Turn; readonly embeddings: Uint8Array }

/** Stores the files and settles the hold in one transaction. */
function commit(
  call: IndexCall,
  paid: PaidEmbeddings | null,
  calibration: Calibration | null,
): Promise<CommittedReply<IndexReply>> {
  const { app, actor, key, embedder, once, files, skipped, unchanged, history } = call
  const { orgId, userId } = actor
  return once.commit(orgId, async (tx) => {
    const removedIds = skipped
      .filter(({ reason }) => reason !== 'invalid_path')
      .map(({ path }) => fileIdOf(key, path))
    const stored = await storeFiles(tx, key, {
      model: embedder.model,
      removedIds,
      files,
      embeddings: paid?.embeddings ?? null,
    })
    if (stored.files > 0) await requireRepoLimit(tx, key)
    if (paid) requireChunkLimit(await sql.countChunks(tx, orgId))
    if (calibration) await saveBetterCalibration(tx, key, calibration)
    const settled = paid
      ? await settleTurnIn(app, tx, paid.turn, { promptTokens: stored.tokens, outputTokens: 0 })
      : null
    return {
      indexed: stored.files,
      unchanged: unchanged + files.length - stored.files,
      chunks: stored.chunks,
      tokens: stored.tokens,
      model: embedder.model,
      skipped: [...skipped],
      ...(history && { history: await storeHistory(tx, key, history) }),
      costMinor: settled?.chargedMinor ?? 0n,
      balanceMinor: settled?.balances.balanceMinor ?? (await readSpendable(tx, orgId, userId)).balanceMinor,
    }
  })
}

/** Keeps the calibration that was measured with more queries. */
async function saveBetterCalibration(tx: Tx, key: RepoKey, calibration: Calibration): Promise<void> {
  const known = await sql.findIndexVersions(tx, key)
  if (calibration.queries >= (known?.queries ?? 0))
    await sql.saveCalibration(tx, key, calibration.weight, calibration)
}

/** A hold that cannot be released now expires at its deadline. */
async function releaseHold(app: App, turn: Turn): Promise<void> {
  await releaseTurn(app, turn).catch((error) =>
    app.log.warn({ err: error, holdId: turn.hold.holdId }, 'repo_index.hold.release_failed'),
  )
}

async function toApiError(app: App, error: unknown): Promise<unknown> {
  if (error instanceof TaskTimeout || (error instanceof DOMException && error.name === 'TimeoutError'))
    return new ApiError('busy')
  if (!(error instanceof UpstreamFailed)) return error
  app.log.warn({ err: error }, 'repo_index.embedding.failed')
  return upstreamError(app, error)
}

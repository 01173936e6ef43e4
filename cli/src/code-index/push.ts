// Updates an index from a repository: prices, confirms and sends new files, and removes deleted ones.
import { CowrieError, type IndexReply, type IndexState, outcomeOf } from '@cowrie/sdk'
import type { Context } from '../command.ts'
import { Failure, UsageError } from '../errors.ts'
import { EXIT, type ExitCode } from '../exit-codes.ts'
import { intentOf } from '../spending/intents.ts'
import { requireConsent, type Wallet } from '../spending/limit.ts'
import { formatMoney, maxCostOf } from '../spending/money.ts'
import { batchesOf } from './batches.ts'
import type { IndexFile, IndexFiles } from './files.ts'
import { type SentDigests, writeSentDigests } from './sent-digests.ts'

export type PushResult = {
  indexed: number
  unchanged: number
  removed: number
  skipped: { path: string; reason: string }[]
  costMinor: bigint
}

export type Difference = { readonly changed: readonly IndexFile[]; readonly gone: readonly string[] }

const REMOVED_MAX = 1_000

/** Compares local files with the index: files to send and to remove. */
export function differenceOf(
  { files, isMeant }: IndexFiles,
  { indexed, skipped }: SentDigests,
  state: Pick<IndexState, 'paths' | 'digests' | 'files'>,
): Difference {
  const digests = new Map(state.paths.map((path, at) => [path, state.digests[at]]))
  const last = state.files > state.paths.length ? state.paths.at(-1) : undefined
  // A very large index lists only its first paths; later ones count as unchanged.
  const isThere = ({ path, sha256 }: IndexFile): boolean => {
    const digest = digests.get(path)
    return digest === undefined ? last !== undefined && path > last : sha256.startsWith(digest)
  }
  const isSame = (file: IndexFile) =>
    skipped[file.path] === file.sha256 || (indexed[file.path] === file.sha256 && isThere(file))
  const present = new Set(files.map(({ path }) => path))
  return {
    changed: files.filter((file) => !isSame(file)),
    gone: Object.keys(indexed).filter((path) => !present.has(path) && isMeant(path)),
  }
}

/** The target index, what was sent before, and the payer. */
export type Target = {
  readonly repo: string
  readonly remembered: SentDigests
  readonly wallet: Wallet
}

export async function push(
  context: Context,
  { changed, gone }: Difference,
  target: Target,
): Promise<PushResult> {
  const { client, out, signal } = context
  const { repo, remembered, wallet } = target
  const pushed: PushResult = { indexed: 0, unchanged: 0, removed: 0, skipped: [], costMinor: 0n }
  const keep = () => writeSentDigests(context, { orgId: wallet.orgId, repo }, remembered)
  const batches = batchesOf(changed)
  const prices = await confirmedPrices(context, batches, target)
  for (const [at, batch] of batches.entries()) {
    out.progress(`sending ${at + 1} of ${batches.length} · ${formatMoney(pushed.costMinor, wallet.currency)}`)
    const reply = await send(context, batch, target, prices(at, pushed.costMinor))
    pushed.indexed += reply.indexed
    pushed.unchanged += reply.unchanged
    pushed.skipped.push(...reply.skipped)
    pushed.costMinor += reply.costMinor
    saveDigests(remembered, batch, reply)
    await keep()
  }
  for (const path of gone.slice(0, REMOVED_MAX)) {
    await client.index.clear({ repo, path }, { signal })
    delete remembered.indexed[path]
    pushed.removed++
    out.progress(`removing ${pushed.removed} of ${gone.length}`, false)
  }
  if (gone.length > 0) await keep()
  out.endProgress()
  if (gone.length > REMOVED_MAX) out.warn(`${gone.length - REMOVED_MAX} more files to remove. Push again.`)
  return pushed
}

/** The maximum cost of each call: its quote, or with data saver the rest of the limit. */
async function confirmedPrices(
  context: Context,
  batches: readonly IndexFile[][],
  target: Target,
): Promise<(at: number, spentMinor: bigint) => bigint> {
  const { values, config, out } = context
  const { currency } = target.wallet
  const limit = maxCostOf(context, currency)
  const money = (minor: bigint) => formatMoney(minor, currency)
  if (batches.length === 0) return () => 0n
  if (batches.length > 1 && values['idempotency-key'] !== undefined)
    throw new UsageError(`--idempotency-key names one call, and this needs ${batches.length}. Omit it.`)
  const files = batches.flat().length
  if ((values['data-saver'] === true || config.dataSaver) && limit !== undefined) {
    // A repeated call keeps its content and maximum cost.
    const before = batches.map((batch) => recordedPrice(context, batch, target))
    if (sumOf(before) > limit) throw aboveLimit(money(sumOf(before)), money(limit))
    await requireConsent(context, `Index ${files} files for at most ${money(limit)}?`)
    return (at, spentMinor) => before[at] ?? limit - spentMinor - sumOf(before.slice(at + 1))
  }
  const prices: bigint[] = []
  for (const [at, batch] of batches.entries()) {
    out.progress(`quoting ${at + 1} of ${batches.length}`)
    prices.push(await priceOf(context, batch, target))
  }
  out.endProgress()
  const sum = sumOf(prices)
  if (limit !== undefined && sum > limit) throw aboveLimit(money(sum), money(limit))
  if (sum > 0n) await requireConsent(context, `Index ${files} files for at most ${money(sum)}?`)
  return (at) => prices[at] ?? 0n
}

const sumOf = (prices: readonly (bigint | undefined)[]): bigint =>
  prices.reduce<bigint>((all, each) => all + (each ?? 0n), 0n)

const aboveLimit = (cost: string, limit: string): Failure =>
  new Failure('above_max_cost', `This costs ${cost}; the limit is ${limit}.`, {
    exit: EXIT.money,
    next: 'Raise the limit with --max-cost, or name fewer paths.',
  })

/** The maximum cost confirmed for a call whose reply was lost. */
const recordedPrice = (context: Context, batch: readonly IndexFile[], target: Target): bigint | undefined =>
  intentFor(context, batch, target).before?.maxMinor

async function priceOf(context: Context, batch: readonly IndexFile[], target: Target): Promise<bigint> {
  const before = recordedPrice(context, batch, target)
  if (before !== undefined) return before
  const { costMinor } = await context.client.index.add(
    { repo: target.repo, files: bodyOf(batch), preview: true },
    { signal: context.signal },
  )
  return costMinor
}

async function send(
  context: Context,
  batch: readonly IndexFile[],
  target: Target,
  maxMinor: bigint,
): Promise<IndexReply> {
  const intent = intentFor(context, batch, target)
  const { key, maxMinor: maxCostMinor } = await intent.begin(maxMinor)
  try {
    const reply = await context.client.index.add(
      { repo: target.repo, files: bodyOf(batch), maxCostMinor },
      { idempotencyKey: key, signal: context.signal },
    )
    intent.settle()
    return reply
  } catch (error) {
    intent.settleAfter(error)
    if (context.signal?.aborted) throw unfinished('Cancelled.', EXIT.cancelled)
    if (!(error instanceof CowrieError) || outcomeOf(error) === 'decided') throw error
    throw unfinished(error.message, EXIT.network)
  }
}

const unfinished = (why: string, exit: ExitCode): Failure =>
  new Failure('push_unfinished', `${why} The files indexed so far are kept.`, {
    exit,
    next: 'Push again to continue. Nothing is charged twice.',
  })

/** Digests instead of the texts. */
const intentFor = (context: Context, batch: readonly IndexFile[], { repo, wallet }: Target) =>
  intentOf(context, wallet, 'index', { repo, files: batch.map(({ path, sha256 }) => [path, sha256]) })

const bodyOf = (batch: readonly IndexFile[]) => batch.map(({ path, content }) => ({ path, content }))

function saveDigests(
  { indexed, skipped }: SentDigests,
  batch: readonly IndexFile[],
  reply: IndexReply,
): void {
  const left = new Set(reply.skipped.map(({ path }) => path))
  for (const { path, sha256 } of batch) {
    delete indexed[path]
    delete skipped[path]
    ;(left.has(path) ? skipped : indexed)[path] = sha256
  }
}

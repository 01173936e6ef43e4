// A search with a rewritten query: one paid turn of a model adds words, and the hits of both queries are combined. Without a usable
// answer the caller gets the hits of the plain query, free of charge.
import { settleFinishedIn } from '../../metering/metering.ts'
import type { App } from '../../platform/app.ts'
import type { Tx } from '../../platform/db/tx.ts'
import type { Actor } from '../../platform/http/actor.ts'
import type { CommittedReply, Once } from '../../platform/http/idempotency/idempotency.ts'
import type { RequestInfo } from '../../platform/http/route.ts'
import { readSpendable } from '../../wallet/wallet.ts'
import { maskText } from '../filter/mask-secrets.ts'
import { HITS_MAX } from '../limits.ts'
import { removeDuplicates } from '../matching/duplicates.ts'
import type { SearchReply, SearchRequest } from '../schema.ts'
import { type CodeHit, findHits, type SearchResult, searchOptions, toSearchReply } from '../search/search.ts'
import { withFailureLimit } from './failure-limit.ts'
import { rewriteMessages } from './rewrite-prompt.ts'
import {
  askForWords,
  type RewriteFailure,
  type Rewritten,
  releaseEarlierRewrites,
  releaseRewrite,
  requirePayer,
  rewriteMaxCost,
  rewriteRoute,
} from './rewrite-turn.ts'

export type RewriteCall = {
  readonly app: App
  readonly actor: Actor
  readonly body: SearchRequest
  readonly once: Once
  readonly request: Pick<RequestInfo, 'id' | 'gone'>
}

/** Of each query. The combination needs more than it returns. */
const HITS_MIN = 20
/** Paths and names in the prompt. */
const NAMES_MAX = 20
const NAME_CHARACTERS_MAX = 200

export async function searchRewritten(call: RewriteCall): Promise<CommittedReply<SearchReply>> {
  const { app, actor, body, once, request } = call
  await requirePayer(app, actor)
  await releaseEarlierRewrites(app, actor, once)
  // Under a key the caller can come back for the reply.
  const signal = once.isKeyed ? new AbortController().signal : request.gone
  const search = (query: string): Promise<SearchResult> =>
    findHits(
      app,
      actor,
      { ...searchOptions(body), query, limit: Math.min(HITS_MAX, Math.max(body.limit, HITS_MIN)) },
      signal,
    )
  const plain = await search(body.query)
  const without = (failure: RewriteFailure | 'no_hits') =>
    commitUnpaid(call, plain, { status: 'not_used', reason: failure, words: [], maxCostMinor: 0n })
  if (plain.hits.length === 0) return without('no_hits')
  const route = rewriteRoute(app, actor)
  if (!route) return without('no_model')
  const messages = rewriteMessages(maskText(body.query, true).text, namesOf(plain.hits))
  if (body.preview) {
    const maxCostMinor = rewriteMaxCost(app, actor, route, messages)
    return commitUnpaid(call, plain, { status: 'preview', reason: null, words: [], maxCostMinor })
  }
  const asked = { actor, once, requestId: request.id, messages, maxMinor: body.maxCostMinor, signal }
  const rewritten = await withFailureLimit(app, actor, () => askForWords(app, route, asked))
  if (typeof rewritten === 'string') return without(rewritten)
  try {
    const more = await search(`${body.query}\n${rewritten.words.join(' ')}`)
    return await commitPaid(call, combineHits(plain, more), rewritten)
  } catch (error) {
    rewritten.finished.turn.record?.fail(error)
    await releaseRewrite(app, rewritten.finished)
    throw error
  }
}

/** Secrets in paths are masked too, because a model reads the names. */
const namesOf = (hits: readonly CodeHit[]): string[] =>
  hits.slice(0, NAMES_MAX).map(({ indexed: { file, symbol } }) => {
    const name = `${file.path} ${symbol}`.trim()
    return maskText(name, true).text.slice(0, NAME_CHARACTERS_MAX)
  })

type UnpaidReport = Omit<NonNullable<SearchReply['rewrite']>, 'costMinor' | 'balanceMinor'>

function commitUnpaid(
  { actor, body, once }: RewriteCall,
  found: SearchResult,
  rewrite: UnpaidReport,
): Promise<CommittedReply<SearchReply>> {
  return once.commit(actor.orgId, async (tx: Tx) => ({
    ...toSearchReply({ ...found, hits: found.hits.slice(0, body.limit) }),
    rewrite: {
      ...rewrite,
      costMinor: 0n,
      balanceMinor: (await readSpendable(tx, actor.orgId, actor.userId)).balanceMinor,
    },
  }))
}

/** The reply is stored in the transaction that charges it. */
function commitPaid(
  { app, actor, body, once }: RewriteCall,
  found: SearchResult,
  { finished, words }: Rewritten,
): Promise<CommittedReply<SearchReply>> {
  return once.commit(actor.orgId, async (tx) => {
    const { chargedMinor, balances } = await settleFinishedIn(app, tx, finished)
    return {
      ...toSearchReply({ ...found, hits: removeDuplicates(found.hits, body.limit) }),
      rewrite: {
        ...{ status: 'used' as const, reason: null, words: [...words] },
        maxCostMinor: finished.turn.maxMinor,
        costMinor: chargedMinor,
        balanceMinor: balances.balanceMinor,
      },
    }
  })
}

const RANK_OFFSET = 60

/** By the sum of the reciprocal ranks. First in both rankings scores 1. */
export function combineHits(plain: SearchResult, more: SearchResult): SearchResult {
  const combined = new Map<string, { hit: CodeHit; score: number }>()
  for (const { hits } of [plain, more])
    for (const [rank, hit] of hits.entries()) {
      const { file, ord } = hit.indexed
      const id = `${file.id} ${file.version} ${ord}`
      const before = combined.get(id)
      const score = (before?.score ?? 0) + (RANK_OFFSET + 1) / (RANK_OFFSET + rank + 1) / 2
      combined.set(id, { hit: before?.hit ?? hit, score })
    }
  const hits = [...combined.values()].sort((a, b) => b.score - a.score)
  return { hits: hits.map(({ hit, score }) => ({ ...hit, score })), mode: plain.mode }
}

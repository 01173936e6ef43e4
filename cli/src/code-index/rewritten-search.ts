// A search whose query a model rewrites: shows the highest cost, confirms and searches.
import type { IndexSearchBody, IndexSearchReply } from '@cowrie/sdk'
import type { Context } from '../command.ts'
import { intentOf } from '../spending/intents.ts'
import { requireConsent, walletOf, withinLimit } from '../spending/limit.ts'
import { costLine, formatMoney } from '../spending/money.ts'

export async function searchRewritten(context: Context, query: IndexSearchBody): Promise<IndexSearchReply> {
  const { client, out, signal } = context
  const wallet = await walletOf(context)
  const body = { ...query, rewrite: true }
  const intent = intentOf(context, wallet, 'search', body)
  const maxMinor = intent.before?.maxMinor ?? (await confirmedPrice(context, body, wallet.currency))
  const { key, maxMinor: maxCostMinor } = await intent.begin(maxMinor)
  try {
    const found = await client.index.search({ ...body, maxCostMinor }, { idempotencyKey: key, signal })
    intent.settle()
    const { rewrite } = found
    if (rewrite) out.note(costLine({ ...rewrite, currency: wallet.currency }))
    if (rewrite?.status === 'used') out.note(`Also searched: ${rewrite.words.join(', ')}`)
    else if (rewrite?.reason) out.note(`The query was not rewritten: ${REASONS[rewrite.reason]}.`)
    return found
  } catch (error) {
    intent.settleAfter(error)
    throw error
  }
}

type Reason = NonNullable<NonNullable<IndexSearchReply['rewrite']>['reason']>

const REASONS: Readonly<Record<Reason, string>> = {
  no_hits: 'it found nothing',
  no_model: 'no model may read it',
  model_failed: 'the model failed',
  unusable_answer: 'the answer of the model was not usable',
}

async function confirmedPrice(
  context: Context,
  body: IndexSearchBody,
  currency: Parameters<typeof withinLimit>[2],
): Promise<bigint> {
  const { client, signal } = context
  const { rewrite } = await client.index.search({ ...body, preview: true }, { signal })
  const quoted = rewrite?.maxCostMinor ?? 0n
  const maxMinor = withinLimit(context, { leastMinor: quoted, maxMinor: quoted }, currency)
  if (maxMinor > 0n)
    await requireConsent(context, `Rewrite the query for at most ${formatMoney(maxMinor, currency)}?`)
  return maxMinor
}

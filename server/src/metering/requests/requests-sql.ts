// SQL that reads the request log. Without an organisation all are read, which needs the platform scope.
import type { OrgId } from '../../kernel/ids.ts'
import type { Currency } from '../../kernel/money.ts'
import { json, type Tx } from '../../platform/db/tx.ts'
import type { TimeCursor } from '../../platform/http/page.ts'
import type { RequestFilter } from './search.ts'

export type FoundRequest = {
  id: string
  at: Date
  orgId: OrgId
  currency: Currency
  keyId: string | null
  userId: string | null
  route: string
  model: string
  provider: string | null
  input: bigint
  cachedInput: bigint
  cacheWrite: bigint
  output: bigint
  costMinor: bigint
  exactCost: string | null
  ttftMs: number | null
  durationMs: number
  status: number
  code: string | null
  requestId: string | null
  ledgerId: string | null
}

/** Rows before a place, newest first. */
export function listBefore(tx: Tx, filter: RequestFilter, before: TimeCursor, limit: number) {
  const { orgId, from, until, userId, keyId, model, provider, route, statusFrom, statusTo } = filter
  const { code, minCostMinor, requestId } = filter
  return tx.rows<FoundRequest>`
    select r.id, r.at, r.org_id as "orgId", o.currency, r.key_id as "keyId", r.user_id as "userId", r.route, r.model, r.provider,
           r.input_tokens as input, r.cached_input_tokens as "cachedInput", r.cache_write_tokens as "cacheWrite",
           r.output_tokens as output, r.cost_minor as "costMinor", r.ttft_ms as "ttftMs", r.duration_ms as "durationMs",
           r.status, r.code, r.request_id as "requestId", r.ledger_id as "ledgerId",
           r.exact_cost::text as "exactCost"
    from request_log r join org_profiles o on o.id = r.org_id
    where (${orgId}::text is null or r.org_id = ${orgId}) and (r.at, r.id) < (${before.at}, ${before.id})
      and r.at >= ${from} and r.at < ${until}
      and (${userId}::text is null or r.user_id = ${userId}) and (${keyId}::text is null or r.key_id = ${keyId})
      and (${model}::text is null or r.model = ${model}) and (${provider}::text is null or r.provider = ${provider})
      and (${route}::text is null or r.route = ${route}) and r.status between ${statusFrom} and ${statusTo}
      and (${code}::text is null or r.code = ${code}) and r.cost_minor >= ${minCostMinor}
      and (${requestId}::text is null or r.request_id = ${requestId})
    order by r.at desc, r.id desc limit ${limit}`
}

/** Rows after a place and before an instant, oldest first. */
export function listAfter(tx: Tx, filter: RequestFilter, after: TimeCursor, limit: number) {
  const { orgId, from, until, userId, keyId, model, provider, route, statusFrom, statusTo } = filter
  const { code, minCostMinor, requestId } = filter
  return tx.rows<FoundRequest>`
    select r.id, r.at, r.org_id as "orgId", o.currency, r.key_id as "keyId", r.user_id as "userId", r.route, r.model, r.provider,
           r.input_tokens as input, r.cached_input_tokens as "cachedInput", r.cache_write_tokens as "cacheWrite",
           r.output_tokens as output, r.cost_minor as "costMinor", r.ttft_ms as "ttftMs", r.duration_ms as "durationMs",
           r.status, r.code, r.request_id as "requestId", r.ledger_id as "ledgerId",
           r.exact_cost::text as "exactCost"
    from request_log r join org_profiles o on o.id = r.org_id
    where (${orgId}::text is null or r.org_id = ${orgId}) and (r.at, r.id) > (${after.at}, ${after.id})
      and r.at >= ${from} and r.at < ${until}
      and (${userId}::text is null or r.user_id = ${userId}) and (${keyId}::text is null or r.key_id = ${keyId})
      and (${model}::text is null or r.model = ${model}) and (${provider}::text is null or r.provider = ${provider})
      and (${route}::text is null or r.route = ${route}) and r.status between ${statusFrom} and ${statusTo}
      and (${code}::text is null or r.code = ${code}) and r.cost_minor >= ${minCostMinor}
      and (${requestId}::text is null or r.request_id = ${requestId})
    order by r.at, r.id limit ${limit}`
}

export type Bucket = 'hour' | 'day'

export type BucketFigures = {
  at: Date
  requests: bigint
  errors: bigint
  input: bigint
  cachedInput: bigint
  cacheWrite: bigint
  output: bigint
  costMinor: bigint
  /** The 50th and the 95th percentile of successful calls; null without one. */
  durations: number[] | null
  ttfts: number[] | null
}

/** Minor units of the report per minor unit of a currency, as decimal texts. */
export type Rates = Readonly<Partial<Record<Currency, { multiply: string; divide: string }>>>

/** Hours or days in UTC with at least one row. */
export function figuresByBucket(tx: Tx, filter: RequestFilter, bucket: Bucket, rates: Rates) {
  const { orgId, from, until, userId, keyId, model, provider, route, statusFrom, statusTo } = filter
  const { code, minCostMinor, requestId } = filter
  return tx.rows<BucketFigures>`
    select date_trunc(${bucket}, r.at, 'UTC') as at, count(*) as requests, count(*) filter (where r.status >= 400) as errors,
           sum(r.input_tokens)::bigint as input, sum(r.cached_input_tokens)::bigint as "cachedInput",
           sum(r.cache_write_tokens)::bigint as "cacheWrite", sum(r.output_tokens)::bigint as output,
           round(sum(r.cost_minor * c.multiply / c.divide))::bigint as "costMinor",
           percentile_disc(array[0.5, 0.95]) within group (order by r.duration_ms) filter (where r.status < 400) as durations,
           percentile_disc(array[0.5, 0.95]) within group (order by r.ttft_ms) filter (where r.status < 400) as ttfts
    from request_log r join org_profiles o on o.id = r.org_id
         join (select key as currency, (value ->> 'multiply')::numeric as multiply, (value ->> 'divide')::numeric as divide
               from jsonb_each(${json(rates)})) c on c.currency = o.currency
    where (${orgId}::text is null or r.org_id = ${orgId}) and r.at >= ${from} and r.at < ${until}
      and (${userId}::text is null or r.user_id = ${userId}) and (${keyId}::text is null or r.key_id = ${keyId})
      and (${model}::text is null or r.model = ${model}) and (${provider}::text is null or r.provider = ${provider})
      and (${route}::text is null or r.route = ${route}) and r.status between ${statusFrom} and ${statusTo}
      and (${code}::text is null or r.code = ${code}) and r.cost_minor >= ${minCostMinor}
      and (${requestId}::text is null or r.request_id = ${requestId})
    group by 1 order by 1`
}

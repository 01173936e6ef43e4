// Refunds of Ozow payments, paid from the refund float of the site. Ozow takes no reference of ours: a refund without an id is
// searched in the list of its days, and is never sent twice.
import { hash } from 'node:crypto'
import { z } from 'zod'
import { after } from '../../../kernel/clock.ts'
import { majorText, minorFromMajor } from '../amounts.ts'
import { type HttpClient, type HttpResponse, NoResponse } from '../http-client.ts'
import { cachedToken, failureReason, readToken, TokenError } from '../oauth-token.ts'
import type { OpenRail, PaidQuery, RefundOrder, RefundStatus } from '../rail.ts'
import { redactedDetail } from '../text.ts'
import { lowerFirstLetters } from './status.ts'

export type OzowAccess = {
  readonly base: string
  readonly siteCode: string
  readonly apiKey: string
  readonly privateKey: string
}

const DAYS_LISTED_MAX = 3

export function ozowRefunds(access: OzowAccess): Required<Pick<OpenRail, 'refund' | 'refundStatus'>> {
  const withToken = cachedToken(
    async (http) =>
      readToken(
        await http.call(`${access.base}/token`, {
          method: 'POST',
          headers: { ApiKey: access.apiKey, 'content-type': 'application/x-www-form-urlencoded' },
          body: new URLSearchParams({ grant_type: 'password', SiteCode: access.siteCode }).toString(),
        }),
      ),
    ({ status }) => status === 401,
  )
  const call = (http: HttpClient, path: string, body?: object) =>
    withToken(http, (token) =>
      http.call(`${access.base}/secure/refunds/${path}`, {
        method: body ? 'POST' : 'GET',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        ...(body && { body: JSON.stringify(body) }),
      }),
    )
  return {
    async refund(http, { transactionId, currency }, { amountMinor, reason, notifyUrl }) {
      const request = {
        transactionId,
        amount: majorText(amountMinor, currency, 2),
        refundReason: reason.replace(/\s+/g, ' ').slice(0, 100),
        notifyUrl,
      }
      try {
        const HashCheck = refundHash(Object.values(request), access.privateKey)
        return readSubmitted(await call(http, 'submit', [{ ...request, HashCheck }]))
      } catch (error) {
        // Without a token nothing was submitted.
        const isUnsent = error instanceof TokenError || (error instanceof NoResponse && !error.sent)
        return { status: isUnsent ? 'not_sent' : 'unknown', reason: failureReason(error) }
      }
    },
    async refundStatus(http, paid, order) {
      try {
        for (const day of daysOf(order.sentAt ?? http.clock.now(), http.clock.now())) {
          const found = readListed(await call(http, `getrefunds?RefundDate=${day}`), paid, order)
          if (found !== null) return found
        }
        return { status: 'unknown', reason: 'Ozow does not list the refund.' }
      } catch (error) {
        return { status: 'unknown', reason: failureReason(error) }
      }
    },
  }
}

export const refundHash = (values: readonly string[], privateKey: string): string =>
  hash('sha512', `${values.join('')}${privateKey}`.toLowerCase())

const Submitted = z
  .array(
    z.preprocess(
      lowerFirstLetters,
      z.object({ refundId: z.string().nullish(), errors: z.array(z.string()).nullish() }),
    ),
  )
  .length(1)

function readSubmitted({ status, json }: HttpResponse): RefundStatus {
  const read = Submitted.safeParse(json)
  const [submitted] = read.data ?? []
  if (submitted?.refundId && status < 300) return { status: 'processing', providerId: submitted.refundId }
  if (submitted?.errors?.length && status < 500)
    return { status: 'failed', reason: redactedDetail(...submitted.errors) }
  return status === 401 || status === 403
    ? { status: 'failed', reason: redactedDetail(status) }
    : { status: 'unknown', reason: `Ozow answered with status ${status}.` }
}

const Listed = z.array(
  z.preprocess(
    lowerFirstLetters,
    z.object({
      id: z.string(),
      amount: z.union([z.number(), z.string()]),
      status: z.union([z.string(), z.number()]).transform((value) => String(value).toLowerCase()),
      transactionReference: z.string().nullish(),
    }),
  ),
)

/** Null where the day has no such refund. */
function readListed(
  { status, json }: HttpResponse,
  paid: PaidQuery,
  order: RefundOrder,
): RefundStatus | null {
  const read = Listed.safeParse(json)
  if (status !== 200 || !read.success)
    return { status: 'unknown', reason: `Ozow answered with status ${status}.` }
  const found = read.data.find(({ id, amount, transactionReference }) =>
    order.providerId !== null
      ? id === order.providerId
      : transactionReference === paid.reference &&
        minorFromMajor(amount, 'ZAR') === order.amountMinor &&
        !order.otherIds.includes(id),
  )
  if (!found) return null
  const amountMinor = minorFromMajor(found.amount, 'ZAR')
  switch (found.status) {
    case '1':
    case 'complete':
      return amountMinor === null || amountMinor <= 0n
        ? { status: 'unknown', reason: 'Ozow sent a refund without a readable amount.' }
        : { status: 'processed', providerId: found.id, amountMinor }
    case '3':
    case '4':
    case '5':
    case 'failed':
    case 'cancelled':
    case 'returned':
      return { status: 'failed', reason: `Ozow could not pay the refund: ${found.status}.` }
    default:
      return { status: 'processing', providerId: found.id }
  }
}

/** The day of the request in UTC and in South Africa. */
function daysOf(sentAt: Date, now: Date): string[] {
  const days: string[] = []
  for (
    let day = sentAt;
    day <= after(now, { days: 1 }) && days.length < DAYS_LISTED_MAX;
    day = after(day, { days: 1 })
  )
    days.push(day.toISOString().slice(0, 10).replaceAll('-', '/'))
  return days
}

// Helpers of top-up tests: customers of every currency, requests and stored rows.

import type { Currency } from '@cowrie/server/src/kernel/money.ts'
import type { Person, Reply, TestServer } from '../harness/harness.ts'

export type ResultBody = {
  reference: string
  mode: string
  status: string
  authorizationUrl?: string
  ussdCode?: string
  displayText?: string
  code?: string
  reason?: string
  fields?: { path: string; message: string }[]
}

/** A person whose organisation has this currency. */
export async function customer(server: TestServer, currency: Currency = 'NGN'): Promise<Person> {
  const person = await server.person()
  if (currency !== 'NGN')
    await server.sql.rows`update orgs set currency = ${currency} where id = ${person.orgId}`
  return person
}

export const topUp = (
  server: TestServer,
  as: { bearer: string },
  body: object,
  key?: string,
): Promise<Reply<ResultBody>> =>
  server.call<ResultBody>('POST', '/wallet/topup', {
    as,
    body,
    ...(key !== undefined && { headers: { 'idempotency-key': key } }),
  })

export const verify = (server: TestServer, as: { bearer: string }, reference: string) =>
  server.call('POST', '/wallet/verify', { as, body: { reference } })

export type TopupRow = {
  status: string
  hand_off: unknown
  provider_ref: string | null
  reason: string | null
  phone_sealed: string | null
  next_check_at: Date | null
  expires_at: Date
  created_at: Date
  email: string
  rail: string
}

export const readTopups = (server: TestServer, { orgId }: Person): Promise<TopupRow[]> =>
  server.sql.rows<TopupRow>`
    select status, hand_off, provider_ref, reason, phone_sealed, next_check_at, expires_at, created_at, email, rail
    from payments where org_id = ${orgId} order by created_at, reference`

export async function balanceOf(server: TestServer, { orgId }: Person): Promise<bigint> {
  const { balance } = await server.sql.one<{ balance: bigint }>`
    select balance_minor as balance from wallets where org_id = ${orgId}`
  return balance
}

/** A valid phone number per currency. */
export const PHONES: Readonly<Partial<Record<Currency, string>>> = {
  KES: '0712345678',
  GHS: '0244123456',
  UGX: '0772123456',
  XOF: '+2250512345678',
  XAF: '+237671234567',
  RWF: '0781234567',
  ZMW: '0961234567',
  GNF: '+224620123456',
  EGP: '01012345678',
}

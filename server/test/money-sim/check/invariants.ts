// Compares the whole database with the model and runs the platform's invariant checks.

import { invoiceChecks } from '../../../src/invoices/invoices.ts'
import { quotient } from '../../../src/kernel/decimal.ts'
import { paymentChecks } from '../../../src/payments/payments.ts'
import { runChecks, trialBalance, walletChecks } from '../../../src/wallet/wallet.ts'
import { wholeOf } from '../model/wallet-model.ts'
import { type SimOrg, Violation } from '../org.ts'
import * as sql from '../sql.ts'
import type { World } from '../world.ts'
import { isEqual } from './find-order.ts'

const LEDGER_SHOWN = 100
const LEDGERS_READ = 4

export async function checkEverything(world: World): Promise<void> {
  const { app } = world.replicas[1]
  await checkWallets(world)
  for (const org of world.orgs) await checkOrg(world, org)
  for (const org of world.orgs.slice(0, LEDGERS_READ)) await checkLedger(world, org)
  await checkEvents(world)
  const doubled = await sql.doubleCredits(world.sql)
  if (doubled[0]) throw new Violation(`${doubled[0].ref} was credited twice`)
  for (const { name, ok, examples } of await runChecks(app, [
    ...walletChecks,
    // The freezes of the simulation belong to no dispute.
    ...paymentChecks.filter((check) => check.name !== 'returns_are_taken_or_frozen'),
    ...invoiceChecks,
  ]))
    if (!ok) throw new Violation(`${name} does not hold for ${examples.join(', ')}`)
  for (const { currency, ok, sumMinor } of await trialBalance(app))
    if (!ok) throw new Violation(`all accounts in ${currency} sum to ${sumMinor}`)
}

async function checkWallets({ sql: owner, orgs }: World): Promise<void> {
  const byOrg = new Map(orgs.map((org) => [org.orgId as string, org]))
  for (const row of await sql.walletRows(owner, [...byOrg.keys()])) {
    const org = byOrg.get(row.orgId)
    if (!org) continue
    const { purse, grant, trialRest, entries } = org.wallet
    const { balance, held, included, includedHeld } = row
    compare(
      org,
      'the wallet',
      {
        balance,
        held,
        included,
        includedHeld,
        grant: row.grant,
        trial: row.trial,
        seq: row.seq,
        head: toHex(row.head),
      },
      {
        balance: purse.free + purse.held,
        held: purse.held,
        included: purse.plan + purse.planHeld,
        includedHeld: purse.planHeld,
        grant: BigInt(grant),
        trial: trialRest,
        seq: BigInt(entries.length),
        head: toHex(org.head),
      },
    )
  }
}

async function checkOrg({ sql: owner }: World, org: SimOrg): Promise<void> {
  const { orgId, wallet, payments } = org
  const holds = new Map((await sql.holdRows(owner, orgId)).map((row) => [row.ref, row]))
  same(org, 'holds', holds.size, wallet.holds.size)
  for (const [ref, { source, userId, state, amount, fromPlan, charged, month, deadline }] of wallet.holds) {
    const row = holds.get(ref)
    if (!row) throw new Violation(`${org.name}: ${ref} has no hold`)
    const expected = {
      source,
      userId,
      state,
      amount,
      fromPlan,
      charged,
      month,
      deadline: deadline.getTime(),
      id: org.holdId(ref),
    }
    const { id, userId: user } = row
    const found = {
      source: row.source,
      userId: user,
      state: row.state,
      amount: row.amount,
      fromPlan: row.fromPlan,
      charged: row.charged,
      id,
    }
    compare(org, `hold ${ref}`, { ...found, month: row.month, deadline: row.deadline.getTime() }, expected)
  }
  compare(org, 'the accrual', (await sql.accrualRow(owner, orgId)) ?? { charged: 0n, exactCost: '0' }, {
    charged: wholeOf(wallet.accrued),
    exactCost: quotient(wallet.accrued, 1_000_000n),
  })
  const months = await sql.monthRows(owner, orgId)
  same(org, 'member months', months.length, wallet.months.size)
  for (const { key, spent, held } of months)
    compare(org, `the month ${key}`, { spent, held }, { ...wallet.months.get(key) })
  const rows = await sql.paymentRows(owner, orgId)
  same(org, 'payments', rows.length, payments.payments.size)
  for (const { reference, ...found } of rows)
    compare(org, `payment ${reference}`, found, payments.row(reference))
  same(org, 'counted use', await sql.recordedUsageCost(owner, orgId), wallet.counted)
}

/** The ledger as its owner reads it. */
async function checkLedger({ replicas }: World, org: SimOrg): Promise<void> {
  const query = { limit: String(LEDGER_SHOWN) }
  const reply = await replicas[0].call<{ entries: LedgerEntry[] }>('GET', '/wallet/ledger', {
    as: org.owner,
    query,
  })
  const seen = org.wallet.entries
    .filter(({ free, held }) => free + held !== 0n)
    .slice(-LEDGER_SHOWN)
    .reverse()
  same(org, 'ledger entries', reply.body.entries.length, seen.length)
  for (const [i, { type, amountMinor, source, ref, balanceAfterMinor }] of reply.body.entries.entries()) {
    const { free = 0n, held = 0n, source: from, ref: of, balanceAfter } = seen[i] ?? {}
    const change = free + held
    const amount = change < 0n ? -change : change
    const expected = {
      type: change > 0n ? 'credit' : 'debit',
      amountMinor: amount,
      source: from,
      ref: of,
      balanceAfterMinor: balanceAfter,
    }
    compare(org, `ledger entry ${i}`, { type, amountMinor, source, ref, balanceAfterMinor }, expected)
  }
}

type LedgerEntry = {
  type: string
  amountMinor: bigint
  source: string
  ref: string
  balanceAfterMinor: bigint
}

/** Every genuine webhook event is stored once, and no forged one. */
async function checkEvents({ sql: owner, orgs }: World): Promise<void> {
  const expected = new Set(orgs.flatMap((org) => [...org.events.keys()]))
  const found = await sql.eventNames(owner)
  if (found.length !== expected.size || found.some(({ name }) => !expected.has(name)))
    throw new Violation(`${found.length} events are stored, expected ${expected.size}`)
}

function compare(org: SimOrg, what: string, found: object, expected: object): void {
  const [a, b] = [found, expected] as Parameters<typeof isEqual>
  if (!isEqual(a, b))
    throw new Violation(`${org.name}: ${what} is ${toText(found)} and the model has ${toText(expected)}`)
}

function same(org: SimOrg, what: string, found: number | bigint, expected: number | bigint): void {
  if (found !== expected) throw new Violation(`${org.name}: ${found} ${what} and the model has ${expected}`)
}

const toHex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex')
export const toText = (value: object): string =>
  JSON.stringify(value, (_, each: unknown) => (typeof each === 'bigint' ? `${each}` : each))

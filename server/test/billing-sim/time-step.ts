// Advances time: clock jumps, late bank decisions, duplicate, late or missing webhooks, and a scheduler that runs once,
// twice at once, on two replicas, or not at all.

import type { TestServer } from '@cowrie/testkit/harness/harness.ts'
import { chooseWeighted } from '@cowrie/testkit/harness/seeded.ts'
import { Violation } from './org.ts'
import { overdueRefills, overdueRenewals } from './sql.ts'
import { INTERNAL_SECRET, type World } from './world.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS

/** Ends of months, leap days and the seconds around midnight: typical sources of calendar bugs. */
const TRICKY = [
  ...['2027-01-29T12:00:00Z', '2027-01-30T23:59:59Z', '2027-01-31T00:00:00Z', '2027-02-28T23:59:59Z'],
  ...['2027-03-31T10:30:00Z', '2027-08-31T23:59:59Z', '2027-12-31T23:59:59Z', '2028-02-29T00:00:00Z'],
  ...['2028-02-29T23:59:59Z', '2028-05-31T06:00:00Z', '2028-12-30T01:02:03Z', '2029-01-31T23:59:59Z'],
].map((text) => new Date(text).getTime())

export type PendingWebhooks = { readonly due: { reference: string; atMs: number }[] }

/** Moves the clock. Returns whether the new time is one of the tricky ones. */
export function moveClock(world: World, stepDays: number): boolean {
  const { random, clock } = world
  const now = clock.now().getTime()
  const kind = chooseWeighted(random, { usual: 80, minutes: 12, back: 3, asleep: 0.6, edge: 5 })
  const byMs = {
    usual: Math.floor((0.2 + random() * 1.6) * stepDays * DAY_MS),
    minutes: Math.floor((1 + random() * 55) * MINUTE_MS),
    back: -Math.floor(random() * HOUR_MS),
    asleep: 40 * DAY_MS,
    edge: nextPeriodEnd(world) - now,
  }[kind]
  const tricky = TRICKY.find((at) => at > now && at <= now + byMs)
  clock.advance({ ms: tricky === undefined ? byMs : tricky - now })
  world.tally.add(`clock ${kind}`)
  return tricky !== undefined
}

/** The exact end of some organisation's period within the next days. */
function nextPeriodEnd({ orgs, random, clock }: World): number {
  const now = clock.now().getTime()
  const edges = orgs.flatMap(({ state }) => (state ? [state.periodEnd.getTime()] : []))
  const near = edges.filter((at) => at > now && at < now + 3 * DAY_MS)
  return near[Math.floor(random() * near.length)] ?? now + HOUR_MS
}

/** Decides open challenges, which most customers confirm, and silent charges, which were paid or not. */
export function decideCharges({ bank, random, tally, clock }: World, isLast = false): void {
  for (const reference of [...bank.undecided]) {
    const { firstResponse, at } = bank.of(reference)
    const isOld = clock.now().getTime() - at.getTime() > 10 * DAY_MS
    const verdict = chooseWeighted(random, { paid: 40, declined: 20, waits: isLast || isOld ? 0 : 60 })
    if (verdict === 'waits') continue
    // Some customers never confirm.
    if (firstResponse === 'asks' && verdict === 'declined' && random() < 0.5 && !isLast) continue
    bank.decide(reference, verdict === 'paid')
    tally.add(`banks that ${firstResponse === 'asks' ? 'asked' : 'were silent'} ${verdict}`)
  }
}

/** Schedules the webhooks of new payments: immediately, twice, late, or never. */
export function scheduleWebhooks({ bank, random, clock, tally }: World, { due }: PendingWebhooks): void {
  const now = clock.now().getTime()
  for (const reference of bank.takeUnannounced()) {
    // Only recent payments are polled without a webhook.
    const isYoung = now - bank.of(reference).at.getTime() < DAY_MS
    const kind = chooseWeighted(random, { once: 55, twice: 15, late: 15, never: isYoung ? 15 : 0 })
    tally.add(`messages ${kind}`)
    const times = { once: [0], twice: [0, 0], late: [1 + random() * 2], never: [] }[kind]
    for (const days of times) due.push({ reference, atMs: now + days * DAY_MS })
  }
}

export async function deliverWebhooks(world: World, { due }: PendingWebhooks, isLast = false): Promise<void> {
  const now = world.clock.now().getTime()
  const taken = due.filter(({ atMs }) => isLast || atMs <= now)
  due.splice(0, due.length, ...due.filter((each) => !taken.includes(each)))
  await Promise.all(taken.map(({ reference }) => post(world, reference)))
}

async function post({ bank, replicas, random }: World, reference: string): Promise<void> {
  const { headers, body } = bank.message(reference)
  const server = replicas[random() < 0.5 ? 0 : 1]
  const reply = await server.call('POST', '/webhooks/card_provider', { headers, raw: body })
  if (reply.status !== 200) throw new Violation(`the webhook of ${reference} returned ${reply.status}`)
}

const RUNS = { none: 8, once: 58, twice: 14, both: 20 }

/** Runs the scheduler. Returns false if it was skipped. */
export async function runScheduler(
  world: World,
  kind = chooseWeighted(world.random, RUNS),
): Promise<boolean> {
  const [first, second] = world.replicas
  world.tally.add(`runs ${kind}`)
  if (kind === 'none') return false
  if (kind === 'once') await runOn(world, first)
  else if (kind === 'twice')
    await Promise.all([runOn(world, first), renewals(world, first), renewals(world, first)])
  else await Promise.all([runOn(world, first), runOn(world, second), renewals(world, second)])
  return true
}

async function runOn(world: World, server: TestServer): Promise<void> {
  await server.app.jobs.drain()
  await renewals(world, server)
}

async function renewals(world: World, server: TestServer): Promise<void> {
  const headers = { 'x-internal-secret': INTERNAL_SECRET }
  const reply = await server.call<Record<string, number>>('POST', '/internal/billing/run-renewals', {
    headers,
  })
  if (reply.status !== 200) throw new Violation(`the renewal run returned ${reply.status}: ${reply.text}`)
  for (const [what, count] of Object.entries(reply.body))
    if (count > 0) world.tally.add(`renewals ${what}`, count)
}

/** Checks that nothing due is left after a run without failures. */
export async function checkNothingOverdue({ sql, clock, byOrg }: World): Promise<void> {
  const now = clock.now()
  const [renewal] = await overdueRenewals(sql, now)
  if (renewal)
    throw (
      byOrg
        .get(renewal.orgId)
        ?.violation(`a period was not renewed after its end at ${renewal.periodEnd.toISOString()}`) ??
      new Violation('')
    )
  const [refill] = await overdueRefills(sql, now)
  if (refill)
    throw (
      byOrg
        .get(refill.orgId)
        ?.violation(`an allowance was not granted when due at ${refill.dueAt.toISOString()}`) ??
      new Violation('')
    )
}

// The drill: money moves, a backup is taken, somebody ruins the database, it is restored to the instant before, and all that was told before
// that instant is true again. What was paid after it is learnt from the provider.
import { chmodSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { anchorChains } from '@cowrie/server/src/audit/anchors/anchor-job.ts'
import { startFakePaystack } from '@cowrie/testkit/fakes/payments/paystack.ts'
import { readConfig } from '../../server/src/platform/config.ts'
import { clusterPath } from '../../server/src/platform/db/embedded/cluster.ts'
import { startEmbedded } from '../../server/src/platform/db/embedded/embedded.ts'
import { createLog } from '../../server/src/platform/log/log.ts'
import { startService } from '../../server/src/service.ts'
import {
  accident,
  archiveAll,
  archiveFolder,
  archiving,
  baseBackup,
  forget,
  markInstant,
  restoreTo,
} from './backup.ts'
import {
  ask,
  balanceOf,
  beginTopUp,
  type Customer,
  must,
  signIn,
  spend,
  type Told,
  verifyTopUp,
} from './customers.ts'

export type Report = {
  readonly payments: number
  readonly lostPayments: number
  readonly backupMs: number
  readonly archiveMs: number
  readonly restoreMs: number
  /** Every check of the service about its money, and whether it holds. */
  readonly invariants: boolean
  readonly proofs: boolean
  /** What the audit chain says of itself before and after somebody has answered for the restore. */
  readonly audit: { readonly before: boolean; readonly after: boolean }
  /** Of the payment that was paid after the instant: its status straight after the restore, and once the provider was asked. */
  readonly paidLater: { readonly restored: string; readonly asked: string }
}

const ROOT = 'root@cowrie.example'
const CHAINS_MAX = 1_000

export async function restoreDrill({
  customers: count,
  rounds,
  say = () => undefined,
  settings = {},
}: {
  customers: number
  rounds: number
  /** Further PostgreSQL settings, such as `{ fsync: 'off' }` in tests. */
  settings?: Readonly<Record<string, string>>
  say?: (line: string) => void
}): Promise<Report> {
  const folder = mkdtempSync(join(tmpdir(), 'cowrie-drill-'))
  chmodSync(folder, 0o711)
  const ends: (() => Promise<unknown>)[] = []
  try {
    const provider = await startFakePaystack()
    ends.push(() => provider.close())
    const live = join(folder, 'live')
    const archive = archiveFolder(join(folder, 'archive'), clusterPath(live))
    const database = await startEmbedded({
      dir: live,
      log: () => undefined,
      settings: { ...archiving(archive), ...settings },
    })
    ends.push(() => database.stop())
    const dataDir = join(folder, 'data')
    const first = await serve(database.url, dataDir, provider.variables)
    ends.push(() => first.service.close())

    const root = await signIn(first.address, ROOT)
    const customers: Customer[] = []
    for (let i = 0; i < count; i++) customers.push(await signIn(first.address, `customer${i}@cowrie.example`))
    const told: Told[] = []
    const work = async () => {
      for (const customer of customers) {
        const amountMinor = 500_000n + BigInt(told.length)
        const reference = await beginTopUp(first.address, customer, amountMinor)
        provider.pay(reference)
        must(
          (await verifyTopUp(first.address, customer, reference)) === 'settled',
          `${reference} was not settled`,
        )
        told.push({ customer, reference, amountMinor })
        await spend(first.address, customer)
      }
    }

    for (let i = 0; i < rounds; i++) await work()
    say(`${told.length} payments settled and as many runs charged; base backup …`)
    const backup = join(folder, 'backup')
    // Money moves while the files are copied: that is what the archive is for.
    const [backupMs] = await Promise.all([timed(() => baseBackup(database.url, live, backup)), work()])
    for (let i = 0; i < rounds; i++) await work()

    const [waiting] = customers
    must(waiting !== undefined, 'a drill needs a customer')
    const paidLater = await beginTopUp(first.address, waiting, 777_700n)
    const balances = await Promise.all(customers.map((customer) => balanceOf(first.address, customer)))
    const before = told.length
    const instant = await markInstant(database.url)
    say(`the instant is ${instant}; after it: payments, then the accident …`)

    provider.pay(paidLater)
    must(
      (await verifyTopUp(first.address, waiting, paidLater)) === 'settled',
      'the later payment was not settled',
    )
    await work()
    // Notes about the audit chains leave the database, and stay where they are.
    await anchorChains(first.service.app, AbortSignal.timeout(60_000))
    await accident(database.url)
    const archiveMs = await timed(() => archiveAll(database.url, archive))
    await first.service.close()
    await database.stop()

    say('restoring …')
    const began = performance.now()
    const restored = join(folder, 'restored')
    restoreTo(instant, backup, archive, restored)
    const second = await startEmbedded({ dir: restored, log: () => undefined, settings: { ...settings } })
    ends.push(() => second.stop())
    const { address, service } = await serve(second.url, dataDir, provider.variables)
    ends.push(() => service.close())
    must((await ask(address, 'GET', '/readyz')).status === 200, 'the restored service is not ready')
    const restoreMs = Math.round(performance.now() - began)

    say('checking …')
    for (const [i, customer] of customers.entries())
      must(
        (await balanceOf(address, customer)) === balances[i],
        `the balance of ${customer.email} is another one`,
      )
    const statusOf = (reference: string) => paymentStatus(address, root, reference)
    for (const { reference } of told.slice(0, before))
      must(
        (await statusOf(reference)) === 'settled',
        `${reference} was told before the instant and is not settled`,
      )
    const later = await Promise.all(told.slice(before).map(({ reference }) => statusOf(reference)))
    const ledger = await ask(address, 'GET', '/admin/ledger/invariants', root.cookie)
    const proofs = await Promise.all(
      customers.map(({ cookie }) => ask(address, 'GET', '/wallet/proof', cookie)),
    )
    return {
      payments: before,
      lostPayments: later.filter((status) => status !== 'settled').length,
      backupMs,
      archiveMs,
      restoreMs,
      invariants: ledger.body.ok === true,
      proofs: proofs.every(({ body }) => body.matches === true && at(body, 'checked', 'intact') === true),
      audit: await acceptRestored(address, root),
      paidLater: { restored: await statusOf(paidLater), asked: await askProvider(address, root, paidLater) },
    }
  } finally {
    for (const end of ends.reverse()) await end()
    forget(folder)
  }
}

/** The service on a database, with what has to be the same before and after: its secret and its files. */
async function serve(url: string, dataDir: string, rails: Readonly<Record<string, string>>) {
  const variables = {
    SERVICE_ENV: 'test',
    SERVICE_DEV_AUTH: 'on',
    SERVICE_SECRET: 'the secret of the drill, the same before and after',
    SERVICE_ROOT_ADMIN_EMAIL: ROOT,
    SERVICE_DATA_DIR: dataDir,
    SERVICE_RATE_LIMIT_AUTH: '100000/60',
    SERVICE_RATE_LIMIT_MONEY: '100000/60',
    SERVICE_RATE_LIMIT_GLOBAL: '1000000/60',
    DATABASE_URL: url,
    PORT: '0',
    ...rails,
  }
  const log = createLog({ level: 'silent' })
  // Without background work nothing is put right before it was looked at.
  const service = await startService({
    config: readConfig(variables, '0.4.0'),
    variables,
    log,
    background: false,
  })
  return { service, address: await service.listen() }
}

async function paymentStatus(address: string, staff: Customer, reference: string): Promise<string> {
  const { status, body } = await ask(address, 'GET', `/admin/payments/${reference}`, staff.cookie)
  return status === 404 ? 'unknown' : String(at(body, 'payment', 'status'))
}

/** What `payments.sweep` does by itself every few seconds, done by hand for one. */
async function askProvider(address: string, staff: Customer, reference: string): Promise<string> {
  const { body } = await ask(address, 'POST', `/admin/payments/${reference}/check`, staff.cookie, {})
  return String(body.status)
}

/** Somebody answers for each chain that is shorter than what was noted about it, until none is left. */
async function acceptRestored(address: string, staff: Customer): Promise<Report['audit']> {
  const verify = async () => (await ask(address, 'GET', '/audit/verify?scope=all', staff.cookie)).body
  const first = await verify()
  for (let broken = first.broken, chains = 0; broken !== null && chains < CHAINS_MAX; chains++) {
    const acceptance = { orgId: at(broken, 'orgId'), reason: 'restored to the instant before the accident' }
    const { status } = await ask(address, 'POST', '/audit/anchors/accept', staff.cookie, acceptance)
    must(status === 200, `a chain could not be accepted (${status})`)
    broken = (await verify()).broken
  }
  return { before: first.ok === true, after: (await verify()).ok === true }
}

function at(node: unknown, ...path: string[]): unknown {
  return path.reduce(
    (here, step) => (typeof here === 'object' && here !== null ? Reflect.get(here, step) : undefined),
    node,
  )
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now()
  await work()
  return Math.round(performance.now() - began)
}

// The drill: money moves during a backup, the database is ruined and restored to the instant before. All payments that the API
// reported before that instant must be there again. A status check at the provider finds payments that were paid after it.
import { chmodSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { anchorChains } from '@cowrie/server/src/audit/anchors/anchor-job.ts'
import { startFakePaystack } from '@cowrie/testkit/fakes/payments/paystack.ts'
import { environment, startS3 } from '@cowrie/testkit/fakes/s3.ts'
import { readConfig } from '../../server/src/platform/config.ts'
import { clusterPath } from '../../server/src/platform/db/embedded/cluster.ts'
import { startEmbedded } from '../../server/src/platform/db/embedded/embedded.ts'
import { createLog } from '../../server/src/platform/log/log.ts'
import { startService } from '../../server/src/service.ts'
import {
  archiveAll,
  archiveSettings,
  createArchiveFolder,
  databaseTime,
  removeFolder,
  restoreTo,
  ruinDatabase,
  takeBaseBackup,
} from './backup.ts'
import {
  balanceOf,
  type Customer,
  call,
  check,
  type SettledPayment,
  signIn,
  spend,
  startTopUp,
  verifyTopUp,
} from './customers.ts'
import { changeObjects, checkObjects, type Objects, storeFiles } from './objects.ts'

export type Report = {
  readonly payments: number
  readonly lostPayments: number
  readonly backupMs: number
  readonly archiveMs: number
  readonly restoreMs: number
  /** Whether all invariants of the ledger hold. */
  readonly invariants: boolean
  readonly proofs: boolean
  /** Whether the audit chains verify before and after staff accept the restore. */
  readonly audit: { readonly before: boolean; readonly after: boolean }
  readonly objects: Objects
  /** A payment started before and paid after the instant: its status after the restore, and after a status check. */
  readonly paidLater: { readonly restored: string; readonly checked: string }
}

const ROOT = 'root@cowrie.example'
const CHAINS_MAX = 1_000

export async function restoreDrill({
  customers: count,
  rounds,
  print = () => undefined,
  settings = {},
}: {
  customers: number
  rounds: number
  /** Further PostgreSQL settings, such as `{ fsync: 'off' }` in tests. */
  settings?: Readonly<Record<string, string>>
  print?: (line: string) => void
}): Promise<Report> {
  const folder = mkdtempSync(join(tmpdir(), 'cowrie-drill-'))
  chmodSync(folder, 0o711)
  const cleanups: (() => Promise<unknown>)[] = []
  try {
    const provider = await startFakePaystack()
    cleanups.push(() => provider.close())
    const live = join(folder, 'live')
    const archive = createArchiveFolder(join(folder, 'archive'), clusterPath(live))
    const database = await startEmbedded({
      dir: live,
      log: () => undefined,
      settings: { ...archiveSettings(archive), ...settings },
    })
    cleanups.push(() => database.stop())
    const bucket = await startS3(join(folder, 's3'))
    cleanups.push(() => bucket.close())
    Object.assign(process.env, environment)
    const dataDir = join(folder, 'data')
    const variables = { ...provider.variables, SERVICE_STORAGE_URL: bucket.url }
    const first = await serve(database.url, dataDir, variables)
    cleanups.push(() => first.service.close())

    const root = await signIn(first.address, ROOT)
    const customers: Customer[] = []
    for (let i = 0; i < count; i++) customers.push(await signIn(first.address, `customer${i}@cowrie.example`))
    const settled: SettledPayment[] = []
    const work = async () => {
      for (const customer of customers) {
        const amountMinor = 500_000n + BigInt(settled.length)
        const reference = await startTopUp(first.address, customer, amountMinor)
        provider.pay(reference)
        check(
          (await verifyTopUp(first.address, customer, reference)) === 'settled',
          `${reference} was not settled`,
        )
        settled.push({ customer, reference, amountMinor })
        await spend(first.address, customer)
      }
    }

    for (let i = 0; i < rounds; i++) await work()
    print(`${settled.length} payments settled and as many runs charged; base backup …`)
    const backup = join(folder, 'backup')
    // Money moves while the files are copied. The archive covers these changes.
    const [backupMs] = await Promise.all([timed(() => takeBaseBackup(database.url, live, backup)), work()])
    for (let i = 0; i < rounds; i++) await work()

    const [waiting] = customers
    check(waiting !== undefined, 'a drill needs a customer')
    const paidLater = await startTopUp(first.address, waiting, 777_700n)
    const balances = await Promise.all(customers.map((customer) => balanceOf(first.address, customer)))
    const { body: me } = await call(first.address, 'GET', '/me', waiting.cookie)
    const files = await storeFiles(first.service.app, me)
    await anchorChains(first.service.app, AbortSignal.timeout(60_000))
    const before = settled.length
    const instant = await databaseTime(database.url)
    print(`the instant is ${instant}; payments after it, then the ruined database …`)

    provider.pay(paidLater)
    check(
      (await verifyTopUp(first.address, waiting, paidLater)) === 'settled',
      'the later payment was not settled',
    )
    await work()
    await changeObjects(first.service.app, files)
    // Anchors of the audit chains are outside the database and survive the restore.
    await anchorChains(first.service.app, AbortSignal.timeout(60_000))
    await ruinDatabase(database.url)
    const archiveMs = await timed(() => archiveAll(database.url, archive))
    await first.service.close()
    await database.stop()

    print('restoring …')
    const began = performance.now()
    const restored = join(folder, 'restored')
    restoreTo(instant, backup, archive, restored)
    const second = await startEmbedded({ dir: restored, log: () => undefined, settings: { ...settings } })
    cleanups.push(() => second.stop())
    const { address, service } = await serve(second.url, dataDir, variables)
    cleanups.push(() => service.close())
    check((await call(address, 'GET', '/readyz')).status === 200, 'the restored service is not ready')
    const restoreMs = Math.round(performance.now() - began)

    print('checking …')
    for (const [i, customer] of customers.entries())
      check((await balanceOf(address, customer)) === balances[i], `the balance of ${customer.email} differs`)
    const statusOf = (reference: string) => paymentStatus(address, root, reference)
    for (const { reference } of settled.slice(0, before))
      check(
        (await statusOf(reference)) === 'settled',
        `${reference} was settled before the instant and is not settled now`,
      )
    const later = await Promise.all(settled.slice(before).map(({ reference }) => statusOf(reference)))
    const ledger = await call(address, 'GET', '/admin/ledger/invariants', root.cookie)
    const proofs = await Promise.all(
      customers.map(({ cookie }) => call(address, 'GET', '/wallet/proof', cookie)),
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
      objects: await checkObjects(service.app, files),
      paidLater: {
        restored: await statusOf(paidLater),
        checked: await checkPayment(address, root, paidLater),
      },
    }
  } finally {
    for (const cleanUp of cleanups.reverse()) await cleanUp()
    removeFolder(folder)
  }
}

/** Starts the service on a database, with the same secret and files before and after the restore. */
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
  // Background work would correct payments before the drill checks them.
  const service = await startService({
    config: readConfig(variables, '0.4.0'),
    variables,
    log,
    background: false,
  })
  return { service, address: await service.listen() }
}

async function paymentStatus(address: string, staff: Customer, reference: string): Promise<string> {
  const { status, body } = await call(address, 'GET', `/admin/payments/${reference}`, staff.cookie)
  return status === 404 ? 'unknown' : String(at(body, 'payment', 'status'))
}

/** Checks one payment at the provider, as the sweeper does for all. */
async function checkPayment(address: string, staff: Customer, reference: string): Promise<string> {
  const { body } = await call(address, 'POST', `/admin/payments/${reference}/check`, staff.cookie, {})
  return String(body.status)
}

/** Accepts each chain that is shorter than its anchor, until none is left. */
async function acceptRestored(address: string, staff: Customer): Promise<Report['audit']> {
  const verify = async () => (await call(address, 'GET', '/audit/verify?scope=all', staff.cookie)).body
  const first = await verify()
  for (let broken = first.broken, chains = 0; broken !== null && chains < CHAINS_MAX; chains++) {
    const acceptance = {
      orgId: at(broken, 'orgId'),
      reason: 'restored to the instant before the database was ruined',
    }
    const { status } = await call(address, 'POST', '/audit/anchors/accept', staff.cookie, acceptance)
    check(status === 200, `a chain could not be accepted (${status})`)
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

// Debits per second through our code. A debit is a reserve and a settlement, on one hot wallet or on many.
import { DisciplinedClock } from '../../src/kernel/clock.ts'
import type { OrgId, UserId } from '../../src/kernel/ids.ts'
import type { App } from '../../src/platform/app.ts'
import { openDb } from '../../src/platform/db/open-db.ts'
import type { Setting } from '../../src/platform/settings/setting.ts'
import { reserve, settle } from '../../src/wallet/wallet.ts'

export const WALLETS = 1_000

export type Debits = { readonly perSecond: number; readonly cpuMicros: number }

/** The parts of the app that wallet code needs: database, clock and default settings. */
export function openMinimalApp(
  url: string,
  role: string | null = 'cowrie_app',
  isDistributed = false,
): { app: App; close(): Promise<void> } {
  const clock = new DisciplinedClock()
  const db = openDb(url, { clock, role, isDistributed, max: 16 })
  const settings = { get: (setting: Setting) => setting.default }
  return { app: { db, clock, settings } as unknown as App, close: () => db.close() }
}

/** Runs `callers` concurrent callers for `forMs`, each making one debit after the other. A refused reserve ends the benchmark. */
export async function debit(app: App, wallets: number, callers: number, forMs: number): Promise<Debits> {
  const cpu = process.cpuUsage()
  const begun = performance.now()
  const until = begun + forMs
  let debits = 0
  await Promise.all(
    Array.from({ length: callers }, async () => {
      while (performance.now() < until) {
        await debitOnce(app, 1 + Math.floor(Math.random() * wallets))
        debits++
      }
    }),
  )
  const seconds = (performance.now() - begun) / 1_000
  const { user, system } = process.cpuUsage(cpu)
  return { perSecond: debits / seconds, cpuMicros: (user + system) / debits }
}

let count = 0
const run = `${process.pid}-${Math.random().toString(36).slice(2)}`

export async function debitOnce(app: App, wallet: number): Promise<void> {
  const orgId = `org_bench${wallet}` as OrgId
  const reserved = await reserve(app, {
    orgId,
    userId: `usr_bench${wallet}` as UserId,
    ref: `${run} ${++count}`,
    source: 'agent',
    amountMinor: 100n,
    terms: { lane: 'open' },
    deadline: new Date(app.clock.now().getTime() + 3_600_000),
  })
  if (!reserved.ok) throw new Error(`a reserve was refused: ${reserved.reason}`)
  await settle(app, { orgId, holdId: reserved.hold.holdId, amountMinor: 60n, usage: null })
}

// The environment of a benchmark: a temporary folder with a durable database, and users with credentials.
import { createHash, randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openAccount } from '../src/identity/identity.ts'
import { generateKey } from '../src/identity/keys/key-format.ts'
import { SESSION_COOKIE, SESSION_LIFETIME, sessionCookies } from '../src/identity/sessions/session-cookie.ts'
import { insertSession } from '../src/identity/sessions/sessions-sql.ts'
import { assert } from '../src/kernel/assert.ts'
import { after, DisciplinedClock } from '../src/kernel/clock.ts'
import { newId } from '../src/kernel/ids.ts'
import { readConfig } from '../src/platform/config.ts'
import { startEmbedded } from '../src/platform/db/embedded/embedded.ts'
import { migrate } from '../src/platform/db/migrations/migrate.ts'
import { openDb } from '../src/platform/db/open-db.ts'
import type { Tx } from '../src/platform/db/tx.ts'
import { createSecrets } from '../src/platform/secrets.ts'
import type { Caller } from './http/requests.ts'
import { createTables, insertKey } from './sql.ts'

export type BenchEnvironment = {
  dir: string
  /** Environment variables of a production service on this database. */
  variables: Record<string, string>
  callers: Caller[]
  /** The main process of the database. */
  databasePid: number
  close(): Promise<void>
}

// A caller may have twenty open streams, and the benchmark opens a thousand.
const CALLERS = 64
const SECRET = randomBytes(32).toString('hex')
/** Never reached, but small enough that rate-limit leases are renewed about once a second. */
const RATE_LIMIT = '500000/10'

export async function openEnvironment(): Promise<BenchEnvironment> {
  const dir = mkdtempSync(join(tmpdir(), 'cowrie-bench-'))
  const database = await startEmbedded({ dir: join(dir, 'postgres'), log: () => undefined })
  const close = async () => {
    await database.stop()
    rmSync(dir, { recursive: true, force: true, maxRetries: 5 })
  }
  try {
    const variables = production(dir, database.url)
    return { dir, variables, callers: await seed(variables, database.url), databasePid: database.pid, close }
  } catch (error) {
    await close()
    throw error
  }
}

const production = (dir: string, url: string): Record<string, string> => ({
  NODE_ENV: 'production',
  SERVICE_ENV: 'production',
  HOST: '127.0.0.1',
  PORT: '0',
  DATABASE_URL: url,
  SERVICE_DATABASE_POOL: '16',
  SERVICE_DATA_DIR: join(dir, 'data'),
  SERVICE_SECRET: SECRET,
  SERVICE_BASE_URL: 'https://bench.example.com',
  SERVICE_SMTP_URL: 'smtp://127.0.0.1:1',
  SERVICE_MAIL_FROM: 'Bench <bench@example.com>',
  SERVICE_RATE_LIMIT_AUTH: RATE_LIMIT,
  SERVICE_RATE_LIMIT_MONEY: RATE_LIMIT,
  SERVICE_RATE_LIMIT_WEBHOOK: RATE_LIMIT,
  SERVICE_RATE_LIMIT_GLOBAL: RATE_LIMIT,
})

async function seed(variables: Record<string, string>, url: string): Promise<Caller[]> {
  await migrate(url)
  const db = openDb(url, { clock: new DisciplinedClock(), max: 2 })
  try {
    await createTables(db.direct)
    return await db.tx('platform', async (tx) => {
      const callers: Caller[] = []
      for (let i = 0; i < CALLERS; i++) callers.push(await addCaller(tx, variables, i))
      return callers
    })
  } finally {
    await db.close()
  }
}

/** A user with a session and an API key, as sign-in and key creation would store them. */
async function addCaller(tx: Tx, variables: Record<string, string>, index: number): Promise<Caller> {
  const account = await openAccount(tx, { email: `person${index}@example.com`, verified: true })
  assert(account, 'the database is new')
  const { userId, orgId } = account
  const session = { id: newId('ses'), token: randomBytes(32).toString('base64url') }
  await insertSession(tx, {
    id: session.id,
    tokenHash: createHash('sha256').update(session.token).digest(),
    userId,
    orgId,
    method: 'password',
    ssoOrgId: null,
    device: randomBytes(32),
    ip: '127.0.0.1',
    userAgent: 'bench',
    expiresAt: after(tx.now, SESSION_LIFETIME),
    hasSecondFactor: false,
  })
  const { key, prefix, hash } = generateKey()
  await insertKey(tx, { id: newId('key'), orgId, userId, prefix, hash })
  const cookie =
    sessionCookies(readConfig(variables, '0.0.0'), createSecrets(SECRET), session)[0]?.split(';')[0] ?? ''
  assert(cookie.startsWith(SESSION_COOKIE), 'a cookie begins with its name')
  return { userId, cookie, bearer: key }
}

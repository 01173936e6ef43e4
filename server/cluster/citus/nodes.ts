// PostgreSQL servers with Citus on loopback: a coordinator and workers, restarted when they die.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { dirname, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { withDatabase } from '../../src/platform/db/connection-url.ts'
import { withPool } from '../../src/platform/db/pool.ts'

const BIN = '/usr/lib/postgresql/15/bin'
const LIBRARY = '/usr/lib/postgresql/15/lib/citus.so'
/** The superuser of the servers, who adds nodes and moves shards. */
const ADMIN = 'postgres'
/** The role of the service owns its database and is no superuser. */
const OWNER = 'cowrie'
const DATABASE = 'postgres'
const START_MS = 60_000
const RESTART_MS = 500
const STOP_MS = 20_000

/** Whether PostgreSQL 15 with Citus is installed on this machine. */
export const hasCitus = (): boolean => existsSync(LIBRARY)

export type CitusNode = {
  readonly name: string
  readonly port: number
  /** The address for the service, whose role owns the database. */
  readonly url: string
  readonly adminUrl: string
  /** The current server process. */
  readonly pid: number
}

export type CitusNodes = {
  readonly coordinator: CitusNode
  readonly workers: readonly CitusNode[]
  close(): Promise<void>
}

export type CitusOptions = {
  /** The folder of the servers. It is created when absent. */
  readonly dir: string
  readonly workers: number
  readonly say?: (line: string) => void
  /** Additional settings of each server. */
  readonly settings?: Readonly<Record<string, string>>
}

const PLAIN_SETTINGS = { max_connections: '200', jit: 'off' }
const SETTINGS = {
  ...PLAIN_SETTINGS,
  shared_preload_libraries: 'citus',
  max_prepared_transactions: '200',
  // Loopback only. The default demands TLS between the nodes.
  'citus.node_conninfo': 'sslmode=disable',
  // A transaction whose coordinator died keeps its locks until then.
  'citus.recover_2pc_interval': '5s',
  'citus.enable_statistics_collection': 'off',
}

/** Starts the servers and registers the workers at the coordinator. A folder of an earlier start is used again. */
export async function startCitus({
  dir,
  workers,
  say = () => undefined,
  settings = {},
}: CitusOptions): Promise<CitusNodes> {
  if (!hasCitus()) throw new Error('Citus for PostgreSQL 15 is not installed. See docs/scale.md.')
  mkdirSync(dir, { recursive: true })
  const names = ['coordinator', ...Array.from({ length: workers }, (_, n) => `worker-${n + 1}`)]
  const nodes: Node[] = []
  const close = async () => {
    await Promise.all(nodes.map((node) => node.stop()))
  }
  try {
    for (const name of names)
      nodes.push(await startNode(join(dir, name), name, { ...SETTINGS, ...settings }, say))
    const [coordinator, ...others] = nodes as [Node, ...Node[]]
    const citus = { coordinator, workers: others, close }
    await joinNodes(citus)
    return citus
  } catch (error) {
    await close()
    throw error
  }
}

/** The same server without Citus, for comparisons. */
export const startPlain = (dir: string): Promise<CitusNode & { stop(): Promise<void> }> =>
  startNode(dir, 'plain', PLAIN_SETTINGS, () => undefined)

/** Prepares a database of the same name on all nodes. */
export async function joinNodes(
  { coordinator, workers }: Omit<CitusNodes, 'close'>,
  database = DATABASE,
): Promise<void> {
  for (const { adminUrl } of [coordinator, ...workers])
    await withPool(withDatabase(adminUrl, database), (sql) =>
      sql.unsafe('create extension if not exists citus'),
    )
  await withPool(withDatabase(coordinator.adminUrl, database), async (sql) => {
    await sql.unsafe(`select citus_set_coordinator_host('127.0.0.1', ${coordinator.port})`)
    for (const { port } of workers) await sql.unsafe(`select citus_add_node('127.0.0.1', ${port})`)
  })
}

type Node = CitusNode & { stop(): Promise<void> }

async function startNode(
  dir: string,
  name: string,
  settings: Readonly<Record<string, string>>,
  say: (line: string) => void,
): Promise<Node> {
  const user = serverUser()
  const data = join(dir, 'data')
  const portFile = join(dir, 'port')
  if (!existsSync(join(data, 'PG_VERSION'))) {
    mkdirSync(dir, { recursive: true, mode: 0o755 })
    if (user) {
      chownSync(dir, user.uid, user.gid)
      letThrough(dirname(dir))
    }
    execFileSync(
      `${BIN}/initdb`,
      ['-D', data, '-U', ADMIN, '-A', 'trust', '-E', 'UTF8', '--locale', 'C', '-N'],
      {
        ...user,
        cwd: dir,
        stdio: 'pipe',
      },
    )
    writeFileSync(portFile, String(await freePort()))
  }
  // The catalog of Citus names the ports, so they stay the same.
  const port = Number(readFileSync(portFile, 'utf8'))
  const urlOf = (role: string) => `postgres://${role}@127.0.0.1:${port}/${DATABASE}`
  const url = urlOf(OWNER)
  const adminUrl = urlOf(ADMIN)
  const options = Object.entries({ ...settings, port: String(port), listen_addresses: '127.0.0.1' }).flatMap(
    ([key, value]) => ['-c', `${key}=${value}`],
  )
  let child: ChildProcess | undefined
  let isStopping = false

  const log = openSync(join(dir, 'server.log'), 'a')
  const launch = async () => {
    const started = spawn(`${BIN}/postgres`, ['-D', data, '-k', dir, ...options], {
      ...user,
      cwd: dir,
      stdio: ['ignore', log, log],
      // Ctrl-C reaches all processes of a terminal. The servers stop after the service, by `stop`.
      detached: true,
      // The servers are clients of each other, and read the settings of clients in the home folder.
      env: { ...process.env, HOME: dir },
    })
    child = started
    started.once('exit', () => {
      if (isStopping) return
      say(`${name} died and will be restarted, see ${join(dir, 'server.log')}`)
      void pause(RESTART_MS).then(() => (isStopping ? undefined : launch()))
    })
    await waitUntilReady(adminUrl)
  }
  const killWithUs = () => child?.kill('SIGQUIT')
  process.once('exit', killWithUs)
  await launch()
  await createRoles(adminUrl)
  say(`${name} is at ${url} (pid ${child?.pid}), in ${dir}`)
  return {
    name,
    port,
    url,
    adminUrl,
    get pid() {
      return child?.pid ?? 0
    },
    async stop() {
      isStopping = true
      process.off('exit', killWithUs)
      if (!child || child.exitCode !== null || child.signalCode !== null) return
      const exited = once(child, 'exit')
      child.kill('SIGINT')
      await Promise.race([exited, pause(STOP_MS, undefined, { ref: false })])
      if (child.exitCode === null && child.signalCode === null) child.kill('SIGQUIT')
      await exited
    },
  }
}

/** The role that owns the database, and the role that its sessions take. Nodes log in as each of them. */
async function createRoles(adminUrl: string): Promise<void> {
  await withPool(adminUrl, async (sql) => {
    const [role] = await sql.rows`select from pg_roles where rolname = ${OWNER}`
    if (role) return
    await sql.unsafe(`create role ${OWNER} login createrole`)
    await sql.unsafe('create role cowrie_app login')
    await sql.unsafe(`grant cowrie_app to ${OWNER} with admin option`)
    await sql.unsafe(`alter database ${DATABASE} owner to ${OWNER}`)
  })
}

async function waitUntilReady(url: string): Promise<void> {
  const endMs = performance.now() + START_MS
  for (;;) {
    try {
      await withPool(url, (sql) => sql.rows`select 1`)
      return
    } catch (error) {
      if (performance.now() > endMs) throw error
      await pause(50)
    }
  }
}

/** PostgreSQL refuses to run as root. */
function serverUser(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined
  const id = (flag: string) => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }))
  return { uid: id('-u'), gid: id('-g') }
}

/** Lets the user of the servers pass this folder and those above it. */
function letThrough(folder: string): void {
  const { mode } = statSync(folder)
  if ((mode & 0o1) === 0) chmodSync(folder, mode | 0o11)
  if (dirname(folder) !== folder) letThrough(dirname(folder))
}

/** Below the range that the system gives to connections: a server that restarts must find its port free. */
async function freePort(): Promise<number> {
  for (;;) {
    const port = 15_000 + Math.floor(Math.random() * 15_000)
    const server = createServer()
    try {
      server.listen(port, '127.0.0.1')
      await once(server, 'listening')
      return port
    } catch {
      // Taken.
    } finally {
      server.close()
    }
  }
}

// The cluster: the folder in which PostgreSQL keeps everything. It is made aside and renamed into place when whole.
import { randomBytes } from 'node:crypto'
import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs'
import { join } from 'node:path'
import type { Binaries } from './binaries.ts'
import { assignFolder, assignTree, canEnter, type ServerUser } from './server-user.ts'
import { startSupervised } from './supervised-process.ts'
import { withTimeout } from './timeouts.ts'

export const OWNER_ROLE = 'cowrie_owner'

const INITDB_MS_MAX = 120_000
const DRAFT = 'cluster-draft-'

export const clusterPath = (dir: string): string => join(dir, 'cluster')

/** Makes the cluster if there is none. `durable: false` saves the flush to disk, for tests. */
export async function ensureCluster(
  dir: string,
  user: ServerUser,
  binaries: Binaries,
  durable: boolean,
): Promise<void> {
  const cluster = clusterPath(dir)
  if (existsSync(join(cluster, 'PG_VERSION'))) {
    if (user.isOther && statSync(cluster).uid !== user.uid) assignTree(user, cluster)
    return
  }
  if (existsSync(cluster) && readdirSync(cluster).length > 0) {
    throw new Error(
      `${cluster} is not empty and not a database; move it away, or set SERVICE_DATA_DIR to another folder`,
    )
  }
  removeDrafts(dir)
  const draft = join(dir, `${DRAFT}${randomBytes(6).toString('hex')}`)
  mkdirSync(draft, { mode: 0o700 })
  assignFolder(user, draft)
  await initialise(draft, user, binaries, durable)
  renameSync(draft, cluster)
  flush(dir)
}

/**
 * How the server names a folder it starts in. A user who cannot walk there from the root (below somebody's home,
 * say) still stands in it, because we took it there before it stepped down; on Linux that place has a name.
 */
export function clusterPathFor(user: ServerUser, folder: string): string {
  if (canEnter(user, folder)) return folder
  if (process.platform === 'linux') return '/proc/self/cwd'
  throw new Error(
    `the database cannot run as root in ${folder}, because its user may not go there: ` +
      'start as an ordinary user, or set SERVICE_DATA_DIR to a folder that everybody may enter',
  )
}

async function initialise(
  draft: string,
  user: ServerUser,
  binaries: Binaries,
  durable: boolean,
): Promise<void> {
  const access = ['--auth-local=trust', '--auth-host=reject']
  const kind = [
    '--encoding=UTF8',
    '--locale=C',
    '--data-checksums',
    '--no-instructions',
    ...(durable ? [] : ['--no-sync']),
  ]
  const command = [binaries.initdb, '-D', clusterPathFor(user, draft), '-U', OWNER_ROLE, ...access, ...kind]
  const initdb = startSupervised(command, { user, cwd: draft })
  const end = await withTimeout(INITDB_MS_MAX, initdb.exited)
  initdb.terminate()
  if (end === 'ended with code 0') return
  rmSync(draft, { recursive: true, force: true, maxRetries: 5 })
  throw new Error(
    `the embedded database could not be created (initdb ${end ?? `took over ${INITDB_MS_MAX} ms`}):\n${initdb.tail()}`,
  )
}

/** What a kill in the middle left behind. */
function removeDrafts(dir: string): void {
  for (const name of readdirSync(dir)) {
    if (name.startsWith(DRAFT))
      rmSync(join(dir, name), { recursive: true, force: true, maxRetries: 5, retryDelay: 100 })
  }
}

/** A rename is durable once the folder that holds the name is. */
function flush(folder: string): void {
  const handle = openSync(folder, 'r')
  try {
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}

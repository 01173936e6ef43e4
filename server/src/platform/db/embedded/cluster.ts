// The cluster is the data folder of PostgreSQL. It is created under a temporary name and renamed when it is complete.
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

/** Creates the cluster if it does not exist. `durable: false` skips the flush to disk, for tests. */
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
      `${cluster} is not empty and not a database. Move it, or set SERVICE_DATA_DIR to another folder.`,
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
 * The path under which the server opens its working folder. Its user may not be able to traverse the path, for example below a
 * private home folder. On Linux it then uses /proc/self/cwd, because the process enters the folder before it drops root.
 */
export function clusterPathFor(user: ServerUser, folder: string): string {
  if (canEnter(user, folder)) return folder
  if (process.platform === 'linux') return '/proc/self/cwd'
  throw new Error(
    `Started as root, the database cannot run in ${folder}, because its user has no access. ` +
      'Start as an unprivileged user, or set SERVICE_DATA_DIR to a folder that all users may enter.',
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
    `The embedded database could not be created (initdb ${end ?? `took over ${INITDB_MS_MAX} ms`}):\n${initdb.tail()}`,
  )
}

/** Removes drafts of processes that were killed while they created the cluster. */
function removeDrafts(dir: string): void {
  for (const name of readdirSync(dir)) {
    if (name.startsWith(DRAFT))
      rmSync(join(dir, name), { recursive: true, force: true, maxRetries: 5, retryDelay: 100 })
  }
}

/** A rename is durable only after the parent folder is flushed. */
function flush(folder: string): void {
  const handle = openSync(folder, 'r')
  try {
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}

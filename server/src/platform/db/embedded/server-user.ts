// PostgreSQL refuses to run as root. When started by root, the server runs as another user with fewer permissions.
import { execFileSync } from 'node:child_process'
import {
  closeSync,
  constants,
  fchmodSync,
  fchownSync,
  fstatSync,
  lchownSync,
  lstatSync,
  openSync,
  readdirSync,
  type Stats,
  statSync,
} from 'node:fs'
import { dirname, join, resolve } from 'node:path'

export type ServerUser = {
  readonly uid: number
  readonly gid: number
  /** True when this process is root and the server drops to another user. */
  readonly isOther: boolean
}

/** The current user. For root: the owner of an existing cluster, else `nobody`. */
export function serverUserFor(cluster: string): ServerUser {
  const uid = process.getuid?.() ?? 0
  const gid = process.getgid?.() ?? 0
  if (uid !== 0) return { uid, gid, isOther: false }
  const existing = statSync(cluster, { throwIfNoEntry: false })
  if (existing && existing.uid !== 0) return { uid: existing.uid, gid: existing.gid, isOther: true }
  return { uid: idOf('-u'), gid: idOf('-g'), isOther: true }
}

/** Options of `spawn` that set the user of the child. Node.js requires signed numbers: on macOS, `nobody` is -2. */
export const spawnAs = ({ uid, gid, isOther }: ServerUser): { uid?: number; gid?: number } =>
  isOther ? { uid: uid | 0, gid: gid | 0 } : {}

/**
 * Makes the user the owner of a folder and sets mode 0700. Works on an open handle: in a folder that others can write to, the
 * path could be replaced by a link between the check and the change.
 */
export function assignFolder(user: ServerUser, folder: string): void {
  const handle = openSync(folder, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW)
  try {
    const { uid } = fstatSync(handle)
    if (uid !== user.uid && uid !== process.getuid?.())
      throw new ForeignOwnerError(`${folder} belongs to user ${uid}`)
    if (user.isOther) fchownSync(handle, user.uid, user.gid)
    fchmodSync(handle, 0o700)
  } finally {
    closeSync(handle)
  }
}

export class ForeignOwnerError extends Error {}

/** Changes the owner of a whole tree without following links. */
export function assignTree(user: ServerUser, path: string): void {
  if (!user.isOther) return
  if (lstatSync(path).isDirectory()) {
    for (const name of readdirSync(path)) assignTree(user, join(path, name))
  }
  lchownSync(path, user.uid, user.gid)
}

/** Whether the user can traverse the path from the root of the file system. Ignores ACLs, because a false negative is safe. */
export function canEnter(user: ServerUser, folder: string): boolean {
  if (!user.isOther) return true
  const path = resolve(folder)
  if (!allows(user, statSync(path), 1)) return false
  return dirname(path) === path || canEnter(user, dirname(path))
}

export function canRead(user: ServerUser, path: string): boolean {
  return !user.isOther || allows(user, statSync(path), 4)
}

function allows({ uid, gid }: ServerUser, stats: Stats, bit: 1 | 4): boolean {
  if (stats.uid === uid) return (stats.mode & (bit << 6)) !== 0
  if (stats.gid === gid) return (stats.mode & (bit << 3)) !== 0
  return (stats.mode & bit) !== 0
}

function idOf(flag: '-u' | '-g'): number {
  return Number(execFileSync('id', [flag, 'nobody'], { encoding: 'utf8' })) >>> 0
}

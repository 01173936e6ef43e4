// Where the server's socket lies. Whoever can enter this folder is let in without a password, so it is 0700.
import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, realpathSync, rmdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { codeOf } from './processes.ts'
import { assignFolder, canEnter, ForeignOwnerError, type ServerUser } from './server-user.ts'

/** Fixed, because the folder is private: the port is only part of the socket's name. */
export const PORT = 5432

/** The kernel's limit for the address of a unix socket, without the closing zero: 107 on Linux, 103 elsewhere. */
const ADDRESS_BYTES_MAX = process.platform === 'linux' ? 107 : 103

/** Inside the data folder when the address fits and the server may go there; else a short folder for temporary files. */
export function socketFolder(dir: string, user: ServerUser): string {
  const near = nearIn(dir)
  if (fits(near) && canEnter(user, dir)) return ownFolder(near, user)
  // The same name each time, so that kills leave one folder behind and not many.
  const name = `cowrie-${createHash('sha256')
    .update(`${user.uid} ${realpathSync(dir)}`)
    .digest('hex')
    .slice(0, 16)}`
  for (const parent of new Set([tmpdir(), '/tmp'])) {
    const folder = join(parent, name)
    if (!fits(folder) || !canEnter(user, parent)) continue
    try {
      return ownFolder(folder, user)
    } catch (error) {
      if (!isTaken(error)) throw error
      // Somebody sits on the name. A random one cannot be guessed.
      const other = mkdtempSync(join(parent, 'cowrie-'))
      assignFolder(user, other)
      return other
    }
  }
  throw new Error(
    `no place for the database's socket: ${near} is too long and ${tmpdir()} cannot be used; set TMPDIR`,
  )
}

/** Takes a folder for temporary files away again once its server is gone. Only an empty one: rmdir refuses others. */
export function removeSocketFolder(dir: string, folder: string): void {
  if (folder === nearIn(dir)) return
  try {
    rmdirSync(folder)
  } catch (error) {
    if (codeOf(error) !== 'ENOENT' && codeOf(error) !== 'ENOTEMPTY') throw error
  }
}

const nearIn = (dir: string): string => join(dir, 'socket')

const fits = (folder: string): boolean =>
  Buffer.byteLength(join(folder, `.s.PGSQL.${PORT}`)) <= ADDRESS_BYTES_MAX

function ownFolder(folder: string, user: ServerUser): string {
  try {
    mkdirSync(folder, { mode: 0o700 })
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error
  }
  assignFolder(user, folder)
  return folder
}

/** Another user's folder, a file, or a link under our name. */
const isTaken = (error: unknown): boolean =>
  error instanceof ForeignOwnerError || ['ENOTDIR', 'ELOOP', 'EACCES'].includes(codeOf(error) ?? '')

// The folder of the server socket. Every user with access to it can connect without a password, so its mode is 0700.
import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, realpathSync, rmdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { codeOf } from './processes.ts'
import { assignFolder, canEnter, ForeignOwnerError, type ServerUser } from './server-user.ts'

/** Fixed, because the folder is private: the port is only a part of the socket name. */
export const PORT = 5432

/** Kernel limit for the path of a unix socket without the terminating zero: 107 on Linux, 103 elsewhere. */
const ADDRESS_BYTES_MAX = process.platform === 'linux' ? 107 : 103

/** Inside the data folder if the path fits and the user of the server has access. Otherwise a short temporary folder. */
export function socketFolder(dir: string, user: ServerUser): string {
  const near = nearIn(dir)
  if (fits(near) && canEnter(user, dir)) return ownFolder(near, user)
  // A stable name, so that killed processes leave at most one folder behind.
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
      if (!isOccupied(error)) throw error
      // Another user occupies the name. A random name cannot be guessed.
      const other = mkdtempSync(join(parent, 'cowrie-'))
      assignFolder(user, other)
      return other
    }
  }
  throw new Error(
    `There is no folder for the socket of the database: the path ${near} is too long, and ${tmpdir()} cannot be used. Set TMPDIR.`,
  )
}

/** Removes a temporary socket folder after its server has ended. rmdir removes it only when it is empty. */
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

/** Whether another user's folder, a file or a link has the name. */
const isOccupied = (error: unknown): boolean =>
  error instanceof ForeignOwnerError || ['ENOTDIR', 'ELOOP', 'EACCES'].includes(codeOf(error) ?? '')

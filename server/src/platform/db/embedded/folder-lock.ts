// One owner process per folder. Claims are numbered files that are linked into place, so of two concurrent processes exactly
// one wins. The claim of a dead process is superseded by the next number, never overwritten.
import { randomBytes } from 'node:crypto'
import { linkSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { present } from '../../../kernel/assert.ts'
import { codeOf, processIdentity } from './processes.ts'

export type FolderLock = { release(): void }

type Claim = { pid: number; born: string; released?: boolean }

const ATTEMPTS_MAX = 50
const DRAFT = 'owner-draft-'
const NAME = /^owner-(\d{1,15})\.json$/

/** Makes this process the owner of the folder. Throws an error that names the live owner and the possible actions. */
export function lockFolder(dir: string): FolderLock {
  try {
    return claim(dir)
  } catch (error) {
    if (codeOf(error) !== 'EACCES') throw error
    throw new Error(
      `The database in ${dir} belongs to another user. Start as that user, or set SERVICE_DATA_DIR to another folder.`,
      { cause: error },
    )
  }
}

function claim(dir: string): FolderLock {
  const mine: Claim = { pid: process.pid, born: present(processIdentity(process.pid), 'we are alive') }
  for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt++) {
    const latest = latestNumber(dir)
    const owner = latest === 0 ? undefined : livingOwner(join(dir, nameOf(latest)))
    if (owner) throw new Error(inUseMessage(dir, owner.pid))
    const number = latest + 1
    if (!linkClaim(dir, number, mine)) continue
    // Another process may have claimed a higher number and deleted ours. The highest number is the owner.
    if (latestNumber(dir) !== number) {
      rmSync(join(dir, nameOf(number)), { force: true })
      continue
    }
    tidy(dir, number)
    return { release: () => release(dir, number, mine) }
  }
  throw new Error(
    `${dir} could not be claimed: ${ATTEMPTS_MAX} other processes were faster. Start one process at a time.`,
  )
}

const nameOf = (number: number): string => `owner-${number}.json`

function numbersIn(dir: string): number[] {
  return readdirSync(dir).flatMap((name) => {
    const number = NAME.exec(name)?.[1]
    return number === undefined ? [] : [Number(number)]
  })
}

const latestNumber = (dir: string): number => Math.max(0, ...numbersIn(dir))

function livingOwner(path: string): Claim | undefined {
  const claim = read(path)
  if (!claim || claim.released) return undefined
  return processIdentity(claim.pid) === claim.born ? claim : undefined
}

/** A claim that cannot be parsed was cut off by a crash of the machine, so its process is dead too. */
function read(path: string): Claim | undefined {
  try {
    const claim: unknown = JSON.parse(readFileSync(path, 'utf8'))
    return isClaim(claim) ? claim : undefined
  } catch (error) {
    if (codeOf(error) === 'ENOENT' || error instanceof SyntaxError) return undefined
    throw error
  }
}

function isClaim(value: unknown): value is Claim {
  return (
    typeof value === 'object' &&
    value !== null &&
    'pid' in value &&
    typeof value.pid === 'number' &&
    'born' in value &&
    typeof value.born === 'string'
  )
}

/** Links a complete file into place. False when the number is taken. */
function linkClaim(dir: string, number: number, claim: Claim): boolean {
  const draft = writeDraft(dir, claim)
  try {
    linkSync(draft, join(dir, nameOf(number)))
    return true
  } catch (error) {
    // EEXIST: the number is taken. ENOENT: the winner deleted our draft.
    if (codeOf(error) === 'EEXIST' || codeOf(error) === 'ENOENT') return false
    throw error
  } finally {
    rmSync(draft, { force: true })
  }
}

/** Deletes older claims, and drafts of processes that were killed while claiming. */
function tidy(dir: string, number: number): void {
  for (const older of numbersIn(dir)) if (older < number) rmSync(join(dir, nameOf(older)), { force: true })
  for (const name of readdirSync(dir)) if (name.startsWith(DRAFT)) rmSync(join(dir, name), { force: true })
}

/** Marks the claim as released. If it were deleted, a slow process could claim a number that was already used. */
function release(dir: string, number: number, mine: Claim): void {
  try {
    renameSync(writeDraft(dir, { ...mine, released: true }), join(dir, nameOf(number)))
  } catch (error) {
    // The folder was deleted together with the claim.
    if (codeOf(error) !== 'ENOENT') throw error
  }
}

function writeDraft(dir: string, claim: Claim): string {
  const draft = join(dir, `${DRAFT}${randomBytes(6).toString('hex')}`)
  writeFileSync(draft, `${JSON.stringify(claim)}\n`, { mode: 0o600, flag: 'wx' })
  return draft
}

function inUseMessage(dir: string, pid: number): string {
  const who = pid === process.pid ? `this process (pid ${pid})` : `another process (pid ${pid})`
  return (
    `The database in ${dir} is in use by ${who}. Stop that process, set SERVICE_DATA_DIR to another folder, ` +
    'or set DATABASE_URL to share a PostgreSQL server.'
  )
}

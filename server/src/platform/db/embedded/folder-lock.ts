// One owner per folder. Claims are numbered files that are only ever linked into place, so of two processes that
// claim at once exactly one wins, and the claim of a dead process is succeeded by the next number, never overwritten.
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

/** Makes this process the owner of the folder, or throws a sentence that names the living owner and the ways out. */
export function lockFolder(dir: string): FolderLock {
  try {
    return claim(dir)
  } catch (error) {
    if (codeOf(error) !== 'EACCES') throw error
    throw new Error(
      `the database in ${dir} belongs to another user. Start as that user, or set SERVICE_DATA_DIR to a folder of your own.`,
      { cause: error },
    )
  }
}

function claim(dir: string): FolderLock {
  const mine: Claim = { pid: process.pid, born: present(processIdentity(process.pid), 'we are alive') }
  for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt++) {
    const latest = latestNumber(dir)
    const owner = latest === 0 ? undefined : livingOwner(join(dir, nameOf(latest)))
    if (owner) throw new Error(refusal(dir, owner.pid))
    const number = latest + 1
    if (!place(dir, number, mine)) continue
    // Somebody may have passed us by two numbers and tidied the one we took: the highest number owns.
    if (latestNumber(dir) !== number) {
      rmSync(join(dir, nameOf(number)), { force: true })
      continue
    }
    tidy(dir, number)
    return { release: () => release(dir, number, mine) }
  }
  throw new Error(`could not claim ${dir}: ${ATTEMPTS_MAX} other processes were faster; start one at a time`)
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

/** A claim that cannot be read was torn by a crash of the machine, so its process is gone too. */
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

/** Links a complete file into place; false when the number is taken. */
function place(dir: string, number: number, claim: Claim): boolean {
  const draft = writeDraft(dir, claim)
  try {
    linkSync(draft, join(dir, nameOf(number)))
    return true
  } catch (error) {
    // EEXIST: the number is taken. ENOENT: the winner tidied our draft away.
    if (codeOf(error) === 'EEXIST' || codeOf(error) === 'ENOENT') return false
    throw error
  } finally {
    rmSync(draft, { force: true })
  }
}

/** Takes away older claims, and drafts of processes that were killed while they claimed. */
function tidy(dir: string, number: number): void {
  for (const older of numbersIn(dir)) if (older < number) rmSync(join(dir, nameOf(older)), { force: true })
  for (const name of readdirSync(dir)) if (name.startsWith(DRAFT)) rmSync(join(dir, name), { force: true })
}

/** The file stays, marked: were it removed, a slow claimant could take a number that is used already. */
function release(dir: string, number: number, mine: Claim): void {
  try {
    renameSync(writeDraft(dir, { ...mine, released: true }), join(dir, nameOf(number)))
  } catch (error) {
    // The folder was removed, and our claim with it.
    if (codeOf(error) !== 'ENOENT') throw error
  }
}

function writeDraft(dir: string, claim: Claim): string {
  const draft = join(dir, `${DRAFT}${randomBytes(6).toString('hex')}`)
  writeFileSync(draft, `${JSON.stringify(claim)}\n`, { mode: 0o600, flag: 'wx' })
  return draft
}

function refusal(dir: string, pid: number): string {
  const who = pid === process.pid ? `this process (pid ${pid})` : `another process (pid ${pid})`
  return (
    `the database in ${dir} is in use by ${who}. Stop that process, give this one a folder of its own with ` +
    'SERVICE_DATA_DIR, or let both share a PostgreSQL server with DATABASE_URL.'
  )
}

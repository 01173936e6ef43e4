// cowrie verify: recomputes the ledger, and checks that its head is in the transparency log.
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { CowrieError } from '@cowrie/sdk'
import { type Command, type Context, textOf } from '../../command.ts'
import { Failure, UsageError } from '../../errors.ts'
import { EXIT } from '../../exit-codes.ts'
import { type FieldMode, type Piece, readPieces } from '../../system/large-json.ts'
import { isRecord, readState, writeState } from '../../system/state-file.ts'
import { green, type Line, red, yellow } from '../../terminal/line.ts'
import type { Wallet } from '../../verify/ledger.ts'
import type { ChainProof, KnownLog } from '../../verify/log.ts'
import { readPages } from '../../verify/pages.ts'
import { type Evidence, type Verdict, verify as verifyEvidence } from '../../verify/verify.ts'

const PAGE = 1_000

export const verify: Command = {
  name: 'verify',
  summary: 'Recompute your ledger and check that the signed public log contains it.',
  args: { min: 0, max: 0 },
  isKeyless: true,
  options: {
    export: {
      type: 'string',
      placeholder: '<file>',
      summary: 'Verify the data export of an organisation, offline.',
      complete: 'files',
    },
    live: { type: 'boolean', summary: 'Verify the postings that the service shows now. The default.' },
    checkpoint: {
      type: 'string',
      placeholder: '<file>',
      summary: 'Also compare the log with this signed checkpoint.',
      complete: 'files',
    },
    key: {
      type: 'string',
      placeholder: '<key>',
      summary: 'Require this key of the log. Default: the first key that was seen.',
    },
  },
  async run(context) {
    const { client, values, out, paths, signal, endWith } = context
    const file = textOf(values, 'export')
    if (file !== undefined && values.live === true)
      throw new UsageError('--export cannot be combined with --live.', 'verify')
    const given = textOf(values, 'checkpoint')
    const evidence = file === undefined ? await readLive(context) : readExport(resolve(paths.cwd, file))
    const store = paths.state && join(paths.state, 'transparency.json')
    const logs = (store && readState(store, isRecord)) || {}
    const known = logs[context.baseUrl]
    const verdict = await verifyEvidence(evidence, {
      key: textOf(values, 'key') ?? null,
      checkpoint: given === undefined ? null : readText(resolve(paths.cwd, given)),
      known: isKnownLog(known) ? known : null,
      readTile: (path) => client.transparency.tile(path, { signal }),
    })
    out.endProgress()
    if (verdict.log && store) await writeState(store, { ...logs, [context.baseUrl]: verdict.log.known })
    const { log, ...result } = verdict
    const shown = log && {
      origin: log.origin,
      size: log.size,
      index: log.index,
      head: log.head,
      key: log.known.key,
    }
    out.result({ ...result, log: shown }, linesOf(evidence, verdict))
    if (log?.isKeyNew) out.note(`Compare the key of the log with a trusted source, once: ${log.known.key}`)
    endWith(verdict.ok ? EXIT.ok : EXIT.failed)
  },
}

function linesOf({ wallet, proof }: Evidence, { faults, postings, openHolds, log }: Verdict): Line[] {
  const lines: Line[] = faults.flatMap((fault) => [
    [red('✗'), ` ${fault.code}: ${fault.message}`],
    ...('checkpoints' in fault
      ? (fault.checkpoints ?? []).flatMap((note) => ['', ...note.trimEnd().split('\n')])
      : []),
  ])
  if (faults.length === 0)
    lines.push([
      green('✓'),
      ` ${postings} postings are intact, and the balances at ${wallet.head.seq} are their sums.`,
    ])
  if (log)
    lines.push([
      green('✓'),
      ` Posting ${log.head.seq} is entry ${log.index} of the log ${log.origin} with ${log.size} entries.`,
    ])
  else if (!proof) lines.push([yellow('!'), ' The wallet has no entry in a transparency log.'])
  if (openHolds > 0 && faults.length === 0) lines.push(`  ${openHolds} reservations are open.`)
  return lines
}

/** The proof is read first: what it publishes must be in the postings that are read after it. */
async function readLive({ client, out, signal, hasKey }: Context): Promise<Evidence> {
  if (!hasKey)
    throw new Failure('sign_in_required', 'Reading your postings needs a key.', {
      exit: EXIT.signIn,
      next: 'Sign in with "cowrie auth login", or use --export <file>.',
    })
  const { orgId } = await client.me.get({ signal })
  const proof = await orNull(client.transparency.wallet({ signal }))
  const isLogOff = proof === null && (await orNull(client.transparency.get({ signal }))) === null
  const wallet = await client.wallet.proof({}, { signal })
  const postings = readPages((after) => {
    out.progress(`Reading posting ${after} of ${wallet.movements} …`, false)
    return client.wallet.movements({ after, limit: PAGE }, { signal })
  })
  return { orgId, wallet, postings, proof, isLogOff, isLive: true }
}

/** Null if the log is off, or has no entry of the wallet yet. */
async function orNull<T>(reply: Promise<T>): Promise<T | null> {
  try {
    return await reply
  } catch (error) {
    if (error instanceof CowrieError && error.status === 404) return null
    throw error
  }
}

/** Reads the export twice: first its few facts, then its postings, one at a time. */
function readExport(path: string): Evidence {
  const { orgId, wallet, transparency = null } = readFacts(path)
  if (typeof orgId !== 'string') throw unreadable(path, 'it is no data export of an organisation')
  if (!isWallet(wallet)) throw unreadable(path, 'its wallet has no head; export the organisation again')
  if (transparency !== null && !isProof(transparency)) throw unreadable(path, 'its proof is incomplete')
  const postings = readPostings(path)
  return { orgId, wallet, postings, proof: transparency, isLogOff: false, isLive: false }
}

const FACTS: ReadonlySet<string> = new Set(['orgId', 'wallet', 'transparency'])

function readFacts(path: string): Readonly<Record<string, unknown>> {
  const pieces = piecesOf(path, (key) => (FACTS.has(key) ? 'whole' : null))
  return Object.fromEntries(Array.from(pieces, ({ key, value }) => [key, value]))
}

function* readPostings(path: string): Generator {
  let isFound = false
  const pieces = piecesOf(path, (key) => {
    isFound ||= key === 'movements'
    return key === 'movements' ? 'elements' : null
  })
  for (const { value } of pieces) yield value
  if (!isFound) throw unreadable(path, 'it is no data export of an organisation')
}

function* piecesOf(path: string, modeOf: (key: string) => FieldMode): Generator<Piece> {
  try {
    yield* readPieces(path, modeOf)
  } catch (error) {
    throw isSystemError(error) ? missing(path, error) : unreadable(path, (error as Error).message)
  }
}

const isSystemError = (error: unknown): error is NodeJS.ErrnoException =>
  error instanceof Error && 'syscall' in error

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    throw missing(path, error as NodeJS.ErrnoException)
  }
}

const missing = (path: string, { code }: NodeJS.ErrnoException): Failure =>
  new Failure('file_unreadable', `${path} cannot be read (${code}).`)

const unreadable = (path: string, reason: string): Failure =>
  new Failure('export_invalid', `${path} cannot be verified: ${reason}.`)

const isWallet = (value: unknown): value is Wallet =>
  isRecord(value) &&
  ['balanceMinor', 'heldMinor', 'includedRemainingMinor'].every((name) => typeof value[name] === 'bigint') &&
  isRecord(value.head) &&
  Number.isSafeInteger(value.head.seq) &&
  typeof value.head.hash === 'string'

const isProof = (value: unknown): value is ChainProof =>
  isRecord(value) &&
  ['name', 'leaf', 'checkpoint', 'publicKey'].every((name) => typeof value[name] === 'string') &&
  Number.isSafeInteger(value.index) &&
  Array.isArray(value.inclusion) &&
  value.inclusion.every((hash) => typeof hash === 'string')

const isKnownLog = (value: unknown): value is KnownLog =>
  isRecord(value) &&
  typeof value.key === 'string' &&
  typeof value.checkpoint === 'string' &&
  (value.heads === undefined || (isRecord(value.heads) && Object.values(value.heads).every(isHead)))

const isHead = (value: unknown): boolean =>
  isRecord(value) &&
  Number.isSafeInteger(value.seq) &&
  typeof value.hash === 'string' &&
  typeof value.at === 'string'

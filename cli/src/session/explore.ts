// The tool `explore`: a question about the files that a separate task answers, with the tools that only read. Several run at once. Each
// has its own small limit within that of the turn, and its cost counts for the session.
import { randomBytes } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { basename, join } from 'node:path'
import { CowrieError } from '@cowrie/sdk'
import { isRecord, readState, removeState } from '../system/state-file.ts'
import type { CallLog } from './call-log.ts'
import type { Connection } from './connection.ts'
import { followTurn } from './follow-turn.ts'
import { openKnownResults } from './known-results.ts'
import type { TaskService } from './service.ts'
import { writeDurably } from './session-files.ts'
import type { RunOptions, Toolbox, ToolCall, ToolGroup, ToolReport } from './types.ts'

export type ExploreTool = ToolGroup & {
  /** The session calls this when it opens. */
  attach(host: ExploreHost): void
  /** Counts what searches of an earlier process have cost, and ends them. */
  settleLeft(signal: AbortSignal): Promise<void>
}

/** The session, as far as a search needs it. */
export type ExploreHost = {
  readonly service: TaskService
  readonly connection: Connection
  readonly toolbox: Toolbox
  /** Where searches under way are recorded. */
  readonly folder: string
  readonly workspaceName: string
  readonly model: string | null
  readonly closed: AbortSignal
  /** Sets aside the limit of a search, or 0 if nothing is left; stored when this returns. */
  reserve(): Promise<bigint>
  /** The search has ended: its cost counts once, and the rest of its limit is free again. */
  settle(search: string, reservedMinor: bigint, spentMinor: bigint): Promise<void>
}

/** Stored before the task is created and before the turn is sent, so that a search is paid once. */
type SearchRecord = {
  readonly keys: readonly [create: string, turn: string]
  readonly reservedMinor: bigint
  readonly taskId: string | null
}

const NAME = 'explore'
const AT_ONCE_MAX = 3
const QUESTION_CHARACTERS = 8_000
const READ_ONLY: readonly string[] = ['list', 'read', 'search']

const DEFINITION = {
  name: NAME,
  description:
    'Answers one question about the files with a separate search that only reads, and returns its summary. Use it for broad questions whose answer needs many files, and call it several times in one answer for independent questions: they run at the same time. The search does not know this conversation, so the question must say everything it needs.',
  inputSchema: {
    type: 'object',
    properties: {
      question: {
        type: 'string',
        description: 'The whole question, with names and paths where they are known.',
      },
    },
    required: ['question'],
    additionalProperties: false,
  },
  isReadOnly: true,
}

export function createExploreTool(): ExploreTool {
  let host: ExploreHost | null = null
  const limited = createLimit(AT_ONCE_MAX)
  return {
    definitions: [DEFINITION],
    names: [NAME],
    isReadOnly: () => true,
    assess: async ({ input }) =>
      typeof input.question === 'string' && input.question.trim() !== ''
        ? { kind: 'free' }
        : { kind: 'refused', reason: 'explore needs a question.' },
    async run(call, options) {
      const current = host
      if (!current) return failed('There is no session to search for.')
      return limited(() => search(current, call, options))
    },
    close: async () => undefined,
    attach(next) {
      host = next
    },
    async settleLeft(signal) {
      if (host) await settleAll(host, signal)
    },
  }
}

async function search(host: ExploreHost, call: ToolCall, options: RunOptions): Promise<ToolReport> {
  if (options.signal.aborted) return failed('Stopped before the search began.')
  const path = join(host.folder, `${call.callId.replace(/[^\w-]/g, '_')}.json`)
  const record = readState(path, isSearch) ?? (await begin(host, path))
  if (!record) return failed('The budget of this turn leaves nothing for a search. Read the files yourself.')
  let hasStarted = record.taskId !== null
  try {
    const taskId = record.taskId ?? (await createTask(host, path, record, options.signal))
    const turnId = await startTurn(host, { ...record, taskId }, call, options.signal)
    hasStarted = true
    const report = await follow(host, taskId, turnId, options)
    const { spentMinor } = await host.connection.patiently(
      () => host.service.get(taskId, host.closed),
      host.closed,
    )
    await end(host, path, record, spentMinor)
    await host.service.patch(taskId, { archived: true }, host.closed).catch(() => undefined)
    return report
  } catch (error) {
    // The cost of a search that broke off is counted by `settleLeft`.
    if (!hasStarted && error instanceof CowrieError && error.status >= 400 && error.status < 500)
      await end(host, path, record, 0n)
    return failed(`The search failed: ${error instanceof Error ? error.message : String(error)}`)
  }
}

async function begin(host: ExploreHost, path: string): Promise<SearchRecord | null> {
  const reservedMinor = await host.reserve()
  if (reservedMinor <= 0n) return null
  const key = () => `cli_${randomBytes(16).toString('hex')}`
  const record: SearchRecord = { keys: [key(), key()], reservedMinor, taskId: null }
  await writeDurably(path, record)
  return record
}

async function createTask(
  { service, connection, workspaceName, model }: ExploreHost,
  path: string,
  record: SearchRecord,
  signal: AbortSignal,
): Promise<string> {
  const body = {
    title: 'Search of a session',
    workspace: { kind: 'client' as const, name: workspaceName },
    budgetMinor: record.reservedMinor,
    ...(model !== null && { model }),
  }
  const { id } = await connection.patiently(() => service.create(body, record.keys[0], signal), signal)
  await writeDurably(path, { ...record, taskId: id })
  return id
}

async function startTurn(
  { service, connection }: ExploreHost,
  { taskId, keys, reservedMinor }: SearchRecord & { readonly taskId: string },
  { input }: ToolCall,
  signal: AbortSignal,
): Promise<string> {
  const prompt = `${PROMPT}\n\n${String(input.question).slice(0, QUESTION_CHARACTERS).toWellFormed()}`
  const body = { prompt, mode: 'plan' as const, maxMinor: reservedMinor }
  const { turnId } = await connection.patiently(() => service.turn(taskId, body, keys[1], signal), signal)
  return turnId
}

async function follow(
  host: ExploreHost,
  taskId: string,
  turnId: string,
  { signal, onOutput }: RunOptions,
): Promise<ToolReport> {
  const { service, connection } = host
  const { needs, lastSeq } = await connection.patiently(() => service.get(taskId, signal), signal)
  const { event } = await followTurn({
    taskId,
    turnId,
    service,
    connection,
    toolbox: readingTools(host.toolbox, taskId),
    log: NO_LOG,
    known: openKnownResults(join(host.folder, taskId)),
    decide: async () => ({ allow: false, reason: 'a search cannot ask the user' }),
    onEvent(each) {
      if (each.kind === 'call') onOutput?.(`${each.call.tool} ${subjectOf(each.call)}\n`)
    },
    signal,
    closed: host.closed,
    seq: 0,
    needs: { calls: needs, lastSeq },
    isStopWanted: false,
    onHandled: () => undefined,
    onStop: async () => undefined,
  })
  const summary = event?.summary ?? ''
  if (event?.stopReason === 'completed' && summary !== '')
    return { ok: true, output: summary, summary: 'searched' }
  return failed(`The search ended early (${event?.stopReason ?? 'stopped'}).${summary && `\n${summary}`}`)
}

const PROMPT =
  'Answer this question about the files here. Read as little as needed, and name paths with line numbers. Answer in at most 40 lines, with facts only. Do not propose changes unless the question asks for them.'

const subjectOf = ({ input }: ToolCall): string =>
  String(input.path ?? input.query ?? '')
    .replace(/\s+/g, ' ')
    .slice(0, 80)

async function end(
  host: ExploreHost,
  path: string,
  { keys, reservedMinor }: SearchRecord,
  spentMinor: bigint,
): Promise<void> {
  await host.settle(keys[0], reservedMinor, spentMinor)
  removeState(path)
}

async function settleAll(host: ExploreHost, signal: AbortSignal): Promise<void> {
  for (const name of namesIn(host.folder)) {
    const path = join(host.folder, basename(name))
    const record = readState(path, isSearch)
    if (!record) continue
    const spentMinor = record.taskId === null ? 0n : await endTask(host, record.taskId, signal)
    await end(host, path, record, spentMinor)
  }
}

/** Ends an abandoned search and returns its cost. */
async function endTask(
  { service, connection }: ExploreHost,
  taskId: string,
  signal: AbortSignal,
): Promise<bigint> {
  try {
    await connection.patiently(() => service.stop(taskId, signal), signal)
    return (await connection.patiently(() => service.get(taskId, signal), signal)).spentMinor
  } catch (error) {
    if (CowrieError.is(error, 'not_found')) return 0n
    throw error
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).filter((name) => name.endsWith('.json'))
  } catch {
    return []
  }
}

/** The tools that only read. The ids of calls are unique in a task only, so they get the name of the task. */
function readingTools(toolbox: Toolbox, taskId: string): Toolbox {
  const own = (call: ToolCall): ToolCall => ({ ...call, callId: `${taskId}_${call.callId}` })
  return {
    ...toolbox,
    definitions: [],
    names: READ_ONLY.filter((name) => toolbox.names.includes(name)),
    assess: (call) => toolbox.assess(own(call)),
    run: (call, options) => toolbox.run(own(call), options),
  }
}

const NO_LOG: CallLog = {
  find: () => null,
  start: async () => undefined,
  report: async () => undefined,
  remove: () => undefined,
  clear: () => undefined,
  list: () => [],
}

/** Runs at most so many at once. */
function createLimit(max: number): <T>(work: () => Promise<T>) => Promise<T> {
  let running = 0
  const waiting: (() => void)[] = []
  return async (work) => {
    if (running >= max) await new Promise<void>((resolve) => waiting.push(resolve))
    else running++
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      if (next) next()
      else running--
    }
  }
}

const failed = (output: string): ToolReport => ({ ok: false, output, summary: 'search failed' })

const isSearch = (value: unknown): value is SearchRecord =>
  isRecord(value) &&
  Array.isArray(value.keys) &&
  value.keys.length === 2 &&
  value.keys.every((key) => typeof key === 'string') &&
  typeof value.reservedMinor === 'bigint' &&
  (value.taskId === null || typeof value.taskId === 'string')

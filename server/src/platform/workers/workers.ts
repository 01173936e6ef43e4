// Threads for work that would keep everybody else waiting: parsing, scanning. A task is a file with a `run`, its input and
// output are plain data, and whatever it does it ends in time: a thread that does not is thrown away.
import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import { ApiError } from '../../kernel/errors.ts'
import { takeNextFair } from './fair-queue.ts'

/** A file that exports `run(input)`. */
export type Task<I, O> = { readonly file: URL; readonly types?: (input: I) => O }

export type TaskLimits = {
  /** From when it begins, not while it waits or its thread gets ready. */
  readonly timeoutMs: number
  /** Also ends the waiting. */
  readonly signal?: AbortSignal | undefined
  /** For whom: those who ask for much wait behind those who ask for little. */
  readonly owner?: string | undefined
}

export class TaskTimeout extends Error {
  constructor() {
    super('a task took too long and was ended')
    this.name = 'TaskTooSlow'
  }
}

export const task = <I, O>(file: URL): Task<I, O> => ({ file })

const THREADS_MAX = 4
const WAITING_MAX = 200
const HEAP_MB_MAX = 768
/** A thread that starts and loads its file takes long only where the machine is busy, which is no fault of the task. */
const START_MS_MAX = 30_000
/** What a task leaves behind in memory is gone with its thread. */
const TASKS_PER_THREAD = 500
const MAIN = new URL('./thread-main.ts', import.meta.url)

type Waiting = {
  readonly message: { readonly file: string; readonly input: unknown }
  readonly limits: TaskLimits
  readonly settle: PromiseWithResolvers<unknown>
  readonly giveUp: () => void
}

type Thread = { readonly worker: Worker; tasks: number; readonly gone: () => void }

/** Threads of this process. They start with the first task and do not keep the process alive. */
const pool = { idle: [] as Thread[], threads: 0, waiting: [] as Waiting[] }
const threadsMax = Math.max(2, Math.min(THREADS_MAX, availableParallelism() - 1))

/**
 * Runs a task on a thread of its own. Throws `TaskTooSlow` when its time was up, what the task threw, the reason of the signal,
 * or `busy` when too many wait.
 */
export async function runTask<I, O>({ file }: Task<I, O>, input: I, limits: TaskLimits): Promise<O> {
  limits.signal?.throwIfAborted()
  if (pool.waiting.length >= WAITING_MAX) throw new ApiError('busy')
  const settle = Promise.withResolvers<unknown>()
  const waiting: Waiting = { message: { file: file.href, input }, limits, settle, giveUp }
  function giveUp(): void {
    pool.waiting.splice(pool.waiting.indexOf(waiting), 1)
    settle.reject(limits.signal?.reason)
  }
  limits.signal?.addEventListener('abort', giveUp, { once: true })
  pool.waiting.push(waiting)
  begin()
  // A task is declared with the types of its file; what comes over the thread's border is what its `run` returned.
  return (await settle.promise) as O
}

function begin(): void {
  while (pool.waiting.length > 0 && (pool.idle.length > 0 || pool.threads < threadsMax)) {
    const next = takeNextFair(pool.waiting, ({ limits }) => limits.owner)
    next.limits.signal?.removeEventListener('abort', next.giveUp)
    work(pool.idle.pop() ?? open(), next)
  }
}

function open(): Thread {
  pool.threads += 1
  const worker = new Worker(MAIN, { resourceLimits: { maxOldGenerationSizeMb: HEAP_MB_MAX } })
  worker.unref()
  const thread: Thread = { worker, tasks: 0, gone }
  // One that ends while it has nothing to do is missed by nobody.
  function gone(): void {
    pool.idle.splice(pool.idle.indexOf(thread), 1)
    pool.threads -= 1
  }
  return thread
}

type Begun = { readonly isBegun: true }
type Said = ({ readonly value: unknown } | { readonly error: unknown }) & { readonly isSpoilt: boolean }

function work(thread: Thread, { message, limits, settle }: Waiting): void {
  const { worker } = thread
  const { timeoutMs, signal } = limits
  worker.off('error', ignored).off('exit', thread.gone)
  worker.ref()
  const tooSlow = () => lose(new TaskTimeout())
  let timer = setTimeout(tooSlow, START_MS_MAX + timeoutMs)
  const abort = () => lose(signal?.reason)
  const exited = tooSlow
  const said = (reply: Begun | Said) => {
    if ('isBegun' in reply) {
      clearTimeout(timer)
      timer = setTimeout(tooSlow, timeoutMs)
      return
    }
    clean()
    thread.tasks += 1
    if (reply.isSpoilt || thread.tasks >= TASKS_PER_THREAD) giveAway(thread)
    else rest(thread)
    if ('error' in reply) settle.reject(reply.error)
    else settle.resolve(reply.value)
    begin()
  }

  function clean(): void {
    clearTimeout(timer)
    signal?.removeEventListener('abort', abort)
    worker.off('message', said).off('error', lose).off('exit', exited)
  }

  /** The thread is lost with whatever it was doing. */
  function lose(reason: unknown): void {
    clean()
    giveAway(thread)
    settle.reject(reason)
    begin()
  }

  signal?.addEventListener('abort', abort)
  worker.on('message', said).on('error', lose).on('exit', exited)
  worker.postMessage(message)
}

function rest(thread: Thread): void {
  thread.worker.on('error', ignored).on('exit', thread.gone)
  thread.worker.unref()
  pool.idle.push(thread)
}

function giveAway({ worker }: Thread): void {
  worker.on('error', ignored)
  pool.threads -= 1
  void worker.terminate()
}

/** What a thread fails at that has nothing to do concerns nobody; that it ends is told by its exit. */
function ignored(): void {}

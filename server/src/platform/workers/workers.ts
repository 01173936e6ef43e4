// Worker threads for CPU-bound work such as parsing and scanning. A task is a file with a `run` function whose input and output are
// plain data. A thread that exceeds its timeout is terminated.
import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import { ApiError } from '../../kernel/errors.ts'
import { takeNextFair } from './fair-queue.ts'

/** A file that exports `run(input)`. */
export type Task<I, O> = { readonly file: URL; readonly types?: (input: I) => O }

export type TaskLimits = {
  /** Counts from the start of the task, not while it is queued or its thread starts. */
  readonly timeoutMs: number
  /** Also removes the task from the queue. */
  readonly signal?: AbortSignal | undefined
  /** The owner for fair queueing: owners with many tasks wait behind owners with few. */
  readonly owner?: string | undefined
  /** A thread that ran a task with the same text is preferred, because it may have kept some of the work. */
  readonly near?: string | undefined
}

export class TaskTimeout extends Error {
  constructor() {
    super('The task exceeded its timeout and was terminated.')
    this.name = 'TaskTimeout'
  }
}

export const task = <I, O>(file: URL): Task<I, O> => ({ file })

const THREADS_MAX = 4
const WAITING_MAX = 200
const HEAP_MB_MAX = 768
/** Starting a thread and loading its file is slow only on a busy machine, so it does not count towards the task timeout. */
const START_MS_MAX = 30_000
/** Threads are replaced after this many tasks, which frees memory that tasks have leaked. */
const TASKS_PER_THREAD = 500
const MAIN = new URL('./thread-main.ts', import.meta.url)

type QueuedTask = {
  readonly message: { readonly file: string; readonly input: unknown }
  readonly limits: TaskLimits
  readonly settle: PromiseWithResolvers<unknown>
  readonly cancel: () => void
}

type Thread = {
  readonly worker: Worker
  tasks: number
  readonly onIdleExit: () => void
  /** `near` of its last tasks, oldest first. */
  readonly recent: Set<string>
}

const RECENT_MAX = 50

/** The threads of this process. They start on demand and do not keep the process alive. */
const pool = { idle: [] as Thread[], threads: 0, waiting: [] as QueuedTask[] }
let threadsMax = Math.max(2, Math.min(THREADS_MAX, availableParallelism() - 1))

/** For a process that shares its processors with others: each thread loads and compiles its tasks again. */
export function limitThreads(max: number): void {
  threadsMax = max
}

/**
 * Runs a task on a worker thread. Throws `TaskTimeout`, the error of the task, the reason of the signal, or `busy` when the queue is
 * full.
 */
export async function runTask<I, O>({ file }: Task<I, O>, input: I, limits: TaskLimits): Promise<O> {
  limits.signal?.throwIfAborted()
  if (pool.waiting.length >= WAITING_MAX) throw new ApiError('busy')
  const settle = Promise.withResolvers<unknown>()
  const waiting: QueuedTask = { message: { file: file.href, input }, limits, settle, cancel }
  function cancel(): void {
    pool.waiting.splice(pool.waiting.indexOf(waiting), 1)
    settle.reject(limits.signal?.reason)
  }
  limits.signal?.addEventListener('abort', cancel, { once: true })
  pool.waiting.push(waiting)
  begin()
  // The task was declared with the types of its file, so the message has the type that `run` returned.
  return (await settle.promise) as O
}

function begin(): void {
  while (pool.waiting.length > 0 && (pool.idle.length > 0 || pool.threads < threadsMax)) {
    const next = takeNextFair(pool.waiting, ({ limits }) => limits.owner)
    next.limits.signal?.removeEventListener('abort', next.cancel)
    work(takeIdle(next.limits) ?? open(), next)
  }
}

function takeIdle({ near }: TaskLimits): Thread | undefined {
  const known = near === undefined ? -1 : pool.idle.findIndex(({ recent }) => recent.has(near))
  return known === -1 ? pool.idle.pop() : pool.idle.splice(known, 1)[0]
}

/** Adds the text as the newest one. */
function recordNear({ recent }: Thread, near: string): void {
  recent.delete(near)
  recent.add(near)
  const [oldest] = recent
  if (recent.size > RECENT_MAX && oldest !== undefined) recent.delete(oldest)
}

function open(): Thread {
  pool.threads += 1
  const worker = new Worker(MAIN, { resourceLimits: { maxOldGenerationSizeMb: HEAP_MB_MAX } })
  worker.unref()
  const thread: Thread = { worker, tasks: 0, onIdleExit, recent: new Set() }
  // Handles a thread that exits while it is idle.
  function onIdleExit(): void {
    pool.idle.splice(pool.idle.indexOf(thread), 1)
    pool.threads -= 1
  }
  return thread
}

type StartedMessage = { readonly isStarted: true }
type ResultMessage = ({ readonly value: unknown } | { readonly error: unknown }) & {
  readonly isUnusable: boolean
}

function work(thread: Thread, { message, limits, settle }: QueuedTask): void {
  const { worker } = thread
  const { timeoutMs, signal, near } = limits
  if (near !== undefined) recordNear(thread, near)
  worker.off('error', ignored).off('exit', thread.onIdleExit)
  worker.ref()
  const onTimeout = () => lose(new TaskTimeout())
  let timer = setTimeout(onTimeout, START_MS_MAX + timeoutMs)
  const abort = () => lose(signal?.reason)
  const onExit = onTimeout
  const onMessage = (reply: StartedMessage | ResultMessage) => {
    if ('isStarted' in reply) {
      clearTimeout(timer)
      timer = setTimeout(onTimeout, timeoutMs)
      return
    }
    clean()
    thread.tasks += 1
    if (reply.isUnusable || thread.tasks >= TASKS_PER_THREAD) terminate(thread)
    else rest(thread)
    if ('error' in reply) settle.reject(reply.error)
    else settle.resolve(reply.value)
    begin()
  }

  function clean(): void {
    clearTimeout(timer)
    signal?.removeEventListener('abort', abort)
    worker.off('message', onMessage).off('error', lose).off('exit', onExit)
  }

  /** Terminates the thread and fails its task. */
  function lose(reason: unknown): void {
    clean()
    terminate(thread)
    settle.reject(reason)
    begin()
  }

  signal?.addEventListener('abort', abort)
  worker.on('message', onMessage).on('error', lose).on('exit', onExit)
  worker.postMessage(message)
}

function rest(thread: Thread): void {
  thread.worker.on('error', ignored).on('exit', thread.onIdleExit)
  thread.worker.unref()
  pool.idle.push(thread)
}

function terminate({ worker }: Thread): void {
  worker.on('error', ignored)
  pool.threads -= 1
  void worker.terminate()
}

/** Errors of an idle thread need no handling: its exit event follows. */
function ignored(): void {}

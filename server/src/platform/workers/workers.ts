// Threads for work that would keep everybody else waiting: parsing, scanning. A task is a file with a `run`, its input and
// output are plain data, and whatever it does it ends in time: a thread that does not is thrown away.
import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import { ApiError } from '../../kernel/errors.ts'

/** A file that exports `run(input)`. */
export type Task<I, O> = { readonly file: URL; readonly types?: (input: I) => O }

export type TaskLimits = { readonly timeoutMs: number; readonly signal?: AbortSignal | undefined }

export class TaskTooSlow extends Error {
  constructor() {
    super('a task took too long and was ended')
    this.name = 'TaskTooSlow'
  }
}

export const task = <I, O>(file: URL): Task<I, O> => ({ file })

const THREADS_MAX = 4
const WAITING_MAX = 200
const HEAP_MB_MAX = 768
const MAIN = new URL('./thread.ts', import.meta.url)

type Waiting = {
  readonly message: { readonly file: string; readonly input: unknown }
  readonly limits: TaskLimits
  readonly settle: PromiseWithResolvers<unknown>
}

/** Threads of this process. They start with the first task and do not keep the process alive. */
const pool = { idle: [] as Worker[], threads: 0, waiting: [] as Waiting[] }
const threadsMax = Math.max(1, Math.min(THREADS_MAX, availableParallelism() - 1))

/**
 * Runs a task on a thread of its own. Throws `TaskTooSlow` when its time was up, what the task threw, or `busy` when too
 * many wait. Time counts from when it begins, not while it waits.
 */
export async function runTask<I, O>({ file }: Task<I, O>, input: I, limits: TaskLimits): Promise<O> {
  limits.signal?.throwIfAborted()
  if (pool.waiting.length >= WAITING_MAX) throw new ApiError('busy')
  const waiting: Waiting = { message: { file: file.href, input }, limits, settle: Promise.withResolvers() }
  pool.waiting.push(waiting)
  begin()
  // A task is declared with the types of its file; what comes over the thread's border is what its `run` returned.
  return (await waiting.settle.promise) as O
}

function begin(): void {
  while (pool.waiting.length > 0 && (pool.idle.length > 0 || pool.threads < threadsMax)) {
    const next = pool.waiting.shift()
    if (!next) return
    if (next.limits.signal?.aborted) {
      next.settle.reject(next.limits.signal.reason)
      continue
    }
    work(pool.idle.pop() ?? open(), next)
  }
}

function open(): Worker {
  pool.threads += 1
  const worker = new Worker(MAIN, { resourceLimits: { maxOldGenerationSizeMb: HEAP_MB_MAX } })
  worker.unref()
  return worker
}

type Said = { readonly value: unknown } | { readonly error: unknown }

function work(worker: Worker, { message, limits, settle }: Waiting): void {
  const { timeoutMs, signal } = limits
  worker.ref()
  const timer = setTimeout(() => give(() => settle.reject(new TaskTooSlow())), timeoutMs)
  const abort = () => give(() => settle.reject(signal?.reason))
  const failed = (error: unknown) => give(() => settle.reject(error))
  const exited = () => give(() => settle.reject(new TaskTooSlow()))
  const said = (reply: Said) => {
    clean()
    worker.unref()
    pool.idle.push(worker)
    if ('error' in reply) settle.reject(reply.error)
    else settle.resolve(reply.value)
    begin()
  }

  function clean(): void {
    clearTimeout(timer)
    signal?.removeEventListener('abort', abort)
    worker.off('message', said)
    worker.off('error', failed)
    worker.off('exit', exited)
  }

  /** The thread is lost with whatever it was doing. */
  function give(tell: () => void): void {
    clean()
    // Its own errors from here on concern nobody.
    worker.on('error', () => undefined)
    pool.threads -= 1
    void worker.terminate()
    tell()
    begin()
  }

  signal?.addEventListener('abort', abort)
  worker.on('message', said)
  worker.on('error', failed)
  worker.on('exit', exited)
  worker.postMessage(message)
}

// A task for tests of worker threads.
import { setTimeout } from 'node:timers/promises'
import { threadId } from 'node:worker_threads'
import { isThreadUnusable, markThreadUnusable } from '@cowrie/analysis/syntax/parser-crash.ts'

export async function run(input: { what: string; times?: number }): Promise<unknown> {
  if (input.what === 'fail') throw new TypeError('this task fails')
  if (input.what === 'die') process.exit(3)
  if (input.what === 'wait') await setTimeout(input.times ?? 0)
  if (input.what === 'break') markThreadUnusable()
  if (input.what === 'check') return { echo: isThreadUnusable() ? 'unusable' : 'usable' }
  if (input.what === 'thread') return { echo: String(threadId) }
  while (input.what === 'spin');
  return { echo: input.what }
}

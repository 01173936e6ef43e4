// Tasks to test threads with.
import { setTimeout } from 'node:timers/promises'
import { isThreadUnusable, markThreadUnusable } from '@cowrie/analysis/syntax/parser-crash.ts'

export async function run(input: { what: string; times?: number }): Promise<unknown> {
  if (input.what === 'fail') throw new TypeError('this task fails')
  if (input.what === 'die') process.exit(3)
  if (input.what === 'wait') await setTimeout(input.times ?? 0)
  if (input.what === 'spoil') markThreadUnusable()
  if (input.what === 'spoilt') return { heard: isThreadUnusable() ? 'spoilt' : 'sound' }
  while (input.what === 'spin');
  return { heard: input.what }
}

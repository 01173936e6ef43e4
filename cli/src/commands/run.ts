// cowrie run and cowrie loop: have something done, for a price that is told before.
import { APPLY_OPTIONS } from '../apply/apply.ts'
import type { Command, Option } from '../command.ts'
import { GATHER_OPTIONS } from '../context/gather.ts'
import { go } from '../running/go.ts'
import { LOOP_OPTIONS, TASK_OPTIONS } from '../running/task.ts'

const { 'dry-run': _, ...APPLYING } = APPLY_OPTIONS

const OPTIONS: Readonly<Record<string, Option>> = {
  ...GATHER_OPTIONS,
  ...TASK_OPTIONS,
  'dry-run': { type: 'boolean', summary: 'Say what it would cost and send; nothing is charged.' },
  apply: { type: 'boolean', summary: 'Apply the edits at once, after all checks.' },
  'no-apply': { type: 'boolean', summary: 'Keep the edits for "cowrie apply".' },
  ...APPLYING,
  ...LOOP_OPTIONS,
  verbose: { type: 'boolean', summary: 'Show what the model writes in a loop, as it comes.' },
}

export const run: Command = {
  name: 'run',
  usage: '"<prompt>"',
  summary: 'Have something done: price, answer, diff, and the edits applied if you like.',
  args: { min: 0, max: 1 },
  options: {
    ...OPTIONS,
    loop: { type: 'boolean', summary: 'Try, test and try again until the test passes.' },
  },
  run: (context) => go(context, context.values.loop === true),
}

export const loop: Command = {
  name: 'loop',
  usage: '"<prompt>"',
  summary: 'The same as "run --loop": try, test and try again until the test passes.',
  args: { min: 0, max: 1 },
  options: OPTIONS,
  run: (context) => go(context, true),
}

// cowrie run and cowrie loop: work for a price confirmed in advance.

import { runTask } from '../../agent/run.ts'
import { LOOP_OPTIONS, TASK_OPTIONS } from '../../agent/task.ts'
import { APPLY_OPTIONS } from '../../apply/apply.ts'
import type { Command, Option } from '../../command.ts'
import { GATHER_OPTIONS } from '../../context/gather.ts'

const { 'dry-run': _, ...APPLYING } = APPLY_OPTIONS

const OPTIONS: Readonly<Record<string, Option>> = {
  ...GATHER_OPTIONS,
  ...TASK_OPTIONS,
  'dry-run': { type: 'boolean', summary: 'Show the cost and what would be sent. Nothing is charged.' },
  apply: { type: 'boolean', summary: 'Apply the edits immediately, after all checks.' },
  'no-apply': { type: 'boolean', summary: 'Store the edits for "cowrie apply".' },
  ...APPLYING,
  ...LOOP_OPTIONS,
  verbose: { type: 'boolean', summary: "Show the model's output during a loop." },
}

export const run: Command = {
  name: 'run',
  usage: '"<prompt>"',
  summary: 'Run a task: shows the price, the answer and the diff, and applies the edits if you agree.',
  args: { min: 0, max: 1 },
  options: {
    ...OPTIONS,
    loop: { type: 'boolean', summary: 'Edit and test until the test passes.' },
  },
  run: (context) => runTask(context, context.values.loop === true),
}

export const loop: Command = {
  name: 'loop',
  usage: '"<prompt>"',
  summary: 'Same as "run --loop": edit and test until the test passes.',
  args: { min: 0, max: 1 },
  options: OPTIONS,
  run: (context) => runTask(context, true),
}

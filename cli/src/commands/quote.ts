// cowrie quote: the maximum cost of a run.
import type { Command } from '../command.ts'
import { GATHER_OPTIONS } from '../context/gather.ts'
import { tellContext } from '../context/guard.ts'
import { EXIT } from '../exits.ts'
import { obstacle, priceOf } from '../running/price.ts'
import { quoteLines } from '../running/quoted.ts'
import { LOOP_OPTIONS, readTask, TASK_OPTIONS } from '../running/task.ts'

export const quote: Command = {
  name: 'quote',
  usage: '"<prompt>"',
  summary: 'Show the maximum cost of a run. Nothing is charged.',
  args: { min: 0, max: 1 },
  options: {
    ...GATHER_OPTIONS,
    ...TASK_OPTIONS,
    loop: { type: 'boolean', summary: 'Quote a loop.' },
    ...LOOP_OPTIONS,
  },
  async run(context) {
    const { values, out } = context
    const task = await readTask(context, values.loop === true)
    tellContext(context, task.files, task.how)
    const priced = await priceOf(context, task)
    out.result({ ...priced.quote, maxMinor: priced.maxMinor }, quoteLines(priced))
    if (obstacle(priced)) context.endWith(EXIT.money)
  },
}

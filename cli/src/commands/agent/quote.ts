// cowrie quote: the maximum cost of a run.

import { obstacle, priceOf, quoteLines } from '../../agent/price.ts'
import { LOOP_OPTIONS, readTask, TASK_OPTIONS } from '../../agent/task.ts'
import type { Command } from '../../command.ts'
import { GATHER_OPTIONS } from '../../context/gather.ts'
import { tellContext } from '../../context/secret-check.ts'
import { EXIT } from '../../exit-codes.ts'

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

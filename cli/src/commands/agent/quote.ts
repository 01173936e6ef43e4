// cowrie quote: the maximum cost of a run.

import { priceOf, quoteLines, whyNotStartable } from '../../agent/price.ts'
import { LOOP_OPTIONS, readTask, TASK_OPTIONS } from '../../agent/task.ts'
import type { Command } from '../../command.ts'
import { GATHER_OPTIONS } from '../../context/gather.ts'
import { showContext } from '../../context/secret-check.ts'
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
    showContext(context, task.files, task.how)
    const priced = await priceOf(context, task)
    out.result({ ...priced.quote, maxMinor: priced.maxMinor }, quoteLines(priced))
    if (whyNotStartable(priced)) context.endWith(EXIT.money)
  },
}

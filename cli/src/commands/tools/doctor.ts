// cowrie doctor: checks the installation and suggests fixes.
import type { Command } from '../../command.ts'
import { type Check, exitOfAll } from '../../doctor/check.ts'
import { checkComputer } from '../../doctor/computer.ts'
import { checkService } from '../../doctor/service.ts'
import { green, type Line, red, yellow } from '../../terminal/line.ts'

export const doctor: Command = {
  name: 'doctor',
  summary: 'Check your setup, and show what would be sent from this folder.',
  args: { min: 0, max: 0 },
  isKeyless: true,
  async run(context) {
    const { out, endWith } = context
    out.progress('Checking …', false)
    const checks = [...(await checkComputer(context)), ...(await checkService(context))]
    out.endProgress()
    const exit = exitOfAll(checks)
    out.result({ ok: exit === 0, checks }, checks.flatMap(linesOf))
    endWith(exit)
  },
}

const SIGNS = { ok: green('✓'), warn: yellow('!'), bad: red('✗') } as const

const linesOf = ({ state, says, next }: Check): Line[] => [
  [SIGNS[state], ` ${says}`],
  ...(next === undefined ? [] : [`  ${next}`]),
]

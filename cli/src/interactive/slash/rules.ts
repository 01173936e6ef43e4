// /plan, /approve and /mcp: what the agent may do and use.
import { UsageError } from '../../errors.ts'
import { dim, type Line } from '../../terminal/line.ts'
import { MODE_SUMMARIES } from '../approvals.ts'
import { APPROVE_MODES, isApproveMode } from '../approve-mode.ts'
import { takeMessage } from '../take-turn.ts'
import type { SlashCommand } from './command.ts'

export const plan: SlashCommand = {
  name: 'plan',
  usage: '[message]',
  summary: 'Plan without changing anything; again to work. With a message: plan only that.',
  async run(terminal, rest) {
    if (rest !== '') {
      await takeMessage(terminal, rest, 'plan')
      return undefined
    }
    terminal.isPlanning = !terminal.isPlanning
    terminal.screen.print([
      terminal.isPlanning
        ? 'Planning: the agent reads and plans, and changes nothing. /plan ends it.'
        : `Working: ${MODE_SUMMARIES[terminal.approvals.mode]}.`,
    ])
    terminal.showStatus()
    return undefined
  },
}

export const approve: SlashCommand = {
  name: 'approve',
  usage: '[ask|edits|full]',
  summary: 'Show or change what happens without a question. "forget 2" removes a stored rule.',
  async run(terminal, rest) {
    const { approvals, screen } = terminal
    const [, number] = /^forget\s+(\d+)$/.exec(rest) ?? []
    if (number !== undefined) {
      const rule = approvals.rules[Number(number) - 1]
      if (!rule) throw new UsageError(`There is no rule ${number}. /approve lists them.`)
      await approvals.forget(rule)
      screen.print([`Forgot ${rule.about} "${rule.pattern}".`])
      return undefined
    }
    if (rest !== '') {
      if (!isApproveMode(rest)) throw new UsageError(`"${rest}" is not ask, edits or full.`)
      approvals.setMode(rest)
      terminal.showStatus()
    }
    const rows = APPROVE_MODES.map(
      (mode): Line => `${mode === approvals.mode ? '▸' : ' '} ${mode.padEnd(5)}  ${MODE_SUMMARIES[mode]}`,
    )
    screen.print([
      ...rows,
      [dim('Network, sensitive files and anything outside of the repository always ask.')],
      ...approvals.rules.map((rule, index): Line => `  ${index + 1}. ${rule.about} "${rule.pattern}"`),
    ])
    return undefined
  },
}

export const mcp: SlashCommand = {
  name: 'mcp',
  summary: 'List MCP servers and background commands.',
  async run({ screen, open }) {
    const running = open?.toolbox.running() ?? []
    screen.print(
      running.length > 0
        ? running.map(
            ({ kind, name, state }): Line => [
              `${kind === 'mcp' ? 'MCP server' : 'command'} `,
              name,
              dim(`  ${state}`),
            ],
          )
        : [
            open
              ? 'No MCP server and no background command runs.'
              : 'MCP servers start with your first message.',
          ],
    )
    return undefined
  },
}

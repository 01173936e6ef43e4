// A group of tools, or a whole toolbox, whose edits and commands call the hooks.

import type { ToolCall, ToolGroup, ToolReport } from '../../session/types.ts'
import { maskKnownFormats } from '../commands/mask-known-formats.ts'
import type { HookInput, Hooks } from './hooks.ts'

const EDITS = new Set(['edit', 'create', 'delete'])
const COMMANDS = new Set(['run', 'background_start'])

export function withHooks<G extends ToolGroup>(group: G, hooks: Hooks): G {
  if (hooks.list.length === 0) return group
  return {
    ...group,
    async run(call, options): Promise<ToolReport> {
      const kind = EDITS.has(call.tool) ? 'edit' : COMMANDS.has(call.tool) ? 'command' : null
      if (kind === null) return group.run(call, options)
      const input = inputOf(call)
      const { blocked } = await hooks.run(`before_${kind}`, input, options.signal)
      if (blocked !== null) return blockedReport(call, blocked)
      const report = await group.run(call, options)
      if (kind !== 'edit' || !report.ok) return report
      const after = await hooks.run('after_edit', input, options.signal)
      return after.blocked === null
        ? report
        : {
            ...report,
            output: `${report.output}\nA hook of the user says about this change: ${maskKnownFormats(after.blocked)}`,
          }
    },
  }
}

function inputOf({ turnId, tool, input }: ToolCall): HookInput {
  const { path, command } = input
  return {
    turnId,
    tool,
    ...(typeof path === 'string' && { path }),
    ...(typeof command === 'string' && { command }),
  }
}

const blockedReport = ({ tool }: ToolCall, reason: string): ToolReport => ({
  ok: false,
  output: `A hook of the user stopped ${tool}: ${maskKnownFormats(reason)}`,
  summary: `stopped by a hook: ${reason.split('\n')[0]?.slice(0, 200) ?? ''}`,
})

// A group of tools, or a whole toolbox, whose edits and commands call the hooks.

import type { Assessment, ToolCall, ToolGroup, ToolReport } from '../../session/types.ts'
import { maskKnownFormats } from '../commands/mask-known-formats.ts'
import type { HookInput, Hooks } from './hooks.ts'

const EDITS = new Set(['edit', 'create', 'delete'])
const COMMANDS = new Set(['run', 'background_start'])

export function withHooks<G extends ToolGroup>(group: G, hooks: Hooks): G {
  if (hooks.list.length === 0) return group
  /** Answers of hooks before the user was asked, by call. No hook is asked twice. */
  const heard = new Map<string, string | null>()
  return {
    ...group,
    // A yes of the user to a call that a hook stops then would mean nothing.
    async assess(call): Promise<Assessment> {
      const assessment = await group.assess(call)
      const kind = kindOf(call)
      if (kind === null || assessment.kind !== 'ask') return assessment
      const { blocked } = await hooks.run(`before_${kind}`, inputOf(call))
      heard.set(call.callId, blocked)
      return blocked === null ? assessment : { kind: 'free' }
    },
    async run(call, options): Promise<ToolReport> {
      const kind = kindOf(call)
      if (kind === null) return group.run(call, options)
      const input = inputOf(call)
      const known = heard.get(call.callId)
      const blocked =
        known === undefined ? (await hooks.run(`before_${kind}`, input, options.signal)).blocked : known
      heard.delete(call.callId)
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

const kindOf = ({ tool }: ToolCall): 'edit' | 'command' | null =>
  EDITS.has(tool) ? 'edit' : COMMANDS.has(tool) ? 'command' : null

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

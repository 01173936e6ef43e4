// Public API of the tools that a model can call in a task.
import { create, remove } from '@cowrie/workspace/tools/create-delete.ts'
import { edit } from '@cowrie/workspace/tools/edit.ts'
import { list } from '@cowrie/workspace/tools/list.ts'
import { read } from '@cowrie/workspace/tools/read.ts'
import { fail } from '@cowrie/workspace/tools/tool-result.ts'
import type { ToolCall, ToolResult } from '@cowrie/workspace/tools/tool-types.ts'
import { createSyntaxGate } from '../../agent/agent.ts'
import { ApiError } from '../../kernel/errors.ts'
import { run } from './run.ts'
import { search } from './search/search.ts'
import type { ToolContext } from './tool-types.ts'

export type { ToolCall, ToolName, ToolResult } from '@cowrie/workspace/tools/tool-types.ts'
export {
  CLIENT_WORKSPACE_TOOLS,
  isToolName,
  PLAN_PROBLEM,
  readOfferedCall,
  readToolCall,
  TOOLS,
  type ToolDefinition,
} from './tool-definitions.ts'
export type { ClientToolCall, ToolContext } from './tool-types.ts'

/**
 * Runs one call. Throws only the reason of the signal and failures of the service. Calls of read-only tools may run at the same
 * time; the caller applies `changes` to the workspace.
 */
export async function runTool(context: ToolContext, call: ToolCall): Promise<ToolResult> {
  context.signal.throwIfAborted()
  try {
    const result = await callTool(context, call)
    return isMaskedAtSource(call) ? result : await maskResult(context, call, result)
  } catch (error) {
    context.signal.throwIfAborted()
    if (error instanceof ApiError && error.code === 'busy')
      return fail('The server is busy. Call the tool again.')
    throw error
  }
}

function callTool(context: ToolContext, call: ToolCall): Promise<ToolResult> {
  switch (call.name) {
    case 'list':
      return list(context, call.input)
    case 'read':
      return read(context, call.input)
    case 'search':
      return search(context, call.input)
    case 'edit':
      return edit(context, call.input, createSyntaxGate())
    case 'create':
      return create(context, call.input, createSyntaxGate())
    case 'delete':
      return remove(context, call.input)
    case 'run':
      return run(context, call.input)
  }
}

const isMaskedAtSource = ({ name }: ToolCall): boolean => name === 'read' || name === 'run'

/** File names, quoted lines and excerpts of the index can contain secrets too. */
async function maskResult(
  { mask }: ToolContext,
  { name }: ToolCall,
  result: ToolResult,
): Promise<ToolResult> {
  const { text } = await mask.hideOutput(`result of ${name}`, result.output)
  return { ...result, output: text }
}

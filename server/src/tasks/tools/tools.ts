// Public API of the tools that a model can call in a task.
import type { ToolCall, ToolContext, ToolName, ToolResult } from './tool-types.ts'

export type { ToolCall, ToolContext, ToolName, ToolResult } from './tool-types.ts'

export type ToolDefinition = {
  readonly name: ToolName
  readonly description: string
  /** A JSON Schema. */
  readonly schema: Readonly<Record<string, unknown>>
  readonly isReadOnly: boolean
}

export declare const TOOLS: readonly ToolDefinition[]
/** The problem is worded for the model. */
export declare function readToolCall(
  name: string,
  argumentsText: string,
): { readonly call: ToolCall } | { readonly problem: string }
export declare function runTool(context: ToolContext, call: ToolCall): Promise<ToolResult>

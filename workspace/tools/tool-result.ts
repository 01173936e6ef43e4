// Builds the results of tools.
import type { FileChange, ToolResult } from './tool-types.ts'

export const FULL_OUTPUT_BYTES_MAX: number = 1 << 20

export const fail = (output: string): ToolResult => ({ ok: false, output, isTruncated: false, changes: [] })

export const succeed = (
  output: string,
  more: {
    readonly isTruncated?: boolean
    readonly changes?: readonly FileChange[]
    readonly fullOutput?: string
  } = {},
): ToolResult => ({
  ok: true,
  output,
  isTruncated: more.isTruncated ?? false,
  changes: more.changes ?? [],
  ...(more.fullOutput !== undefined && { fullOutput: cutBytes(more.fullOutput, FULL_OUTPUT_BYTES_MAX) }),
})

export const requireApproval = (reason: string): ToolResult => ({
  ok: false,
  output: `Nothing was done: a person must approve this call. ${reason}`,
  isTruncated: false,
  changes: [],
  needsApproval: reason,
})

/** The beginning of a text, never cut inside a character. */
export function cutBytes(text: string, bytesMax: number): string {
  if (text.length * 3 <= bytesMax) return text
  const bytes = Buffer.from(text)
  if (bytes.length <= bytesMax) return text
  return bytes
    .subarray(0, bytesMax)
    .toString()
    .replace(/\ufffd+$/, '')
}

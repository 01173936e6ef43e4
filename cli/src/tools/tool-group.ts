// A group of tools as the toolbox takes it: some also have a to-do list, or something that runs in the background.
import type { Todo, Toolbox, ToolCall, ToolGroup, ToolReport } from '../session/types.ts'

export type LocalGroup = ToolGroup & {
  todos?(): readonly Todo[]
  running?(): ReturnType<Toolbox['running']>
  /** The report of a call that an earlier process started and did not finish; null if nothing more is known. */
  interrupted?(call: ToolCall): Promise<ToolReport | null>
}

// A group of tools as the toolbox takes it: some also have a to-do list, or something that runs in the background.
import type { Todo, Toolbox, ToolGroup } from '../session/types.ts'

export type LocalGroup = ToolGroup & {
  todos?(): readonly Todo[]
  running?(): ReturnType<Toolbox['running']>
}

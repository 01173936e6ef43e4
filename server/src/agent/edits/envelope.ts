// The parsed answer of a coding model: a plan, blocks that each change one file, and a summary.
import type { FileBlock } from '@cowrie/workspace/edits/file-block.ts'

/** How the answer ended: complete, at the length limit, or stopped by us. */
export type Finish = 'stop' | 'length' | 'stopped'

/** A block that began and is not an edit: it has no end, or its marks are inconsistent. */
export type BrokenBlock = { path: string; reason: 'cut_off' | 'damaged' }

export type AnswerEnvelope = {
  plan: string
  summary: string
  blocks: FileBlock[]
  broken: BrokenBlock[]
  /** `code` or `code: path`, in order of appearance. */
  warnings: string[]
}

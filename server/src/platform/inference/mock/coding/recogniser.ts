// One kind of thing that a clause may ask for.
import type { Clause } from './clauses.ts'
import type { Workspace } from './workspace.ts'

/** What was done: steps for the plan and a sentence for the summary. */
export type Doing = { readonly steps: readonly string[]; readonly said: string }

/** Does it in the workspace, or leaves everything alone and returns null: it is not what was asked. */
export type Recogniser = (clause: Clause, workspace: Workspace) => Doing | null

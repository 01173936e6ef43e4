// The form of a corpus task: a small repository, a request, hidden tests, and scripts of tool calls that solve it or only seem to.

export type Language = 'javascript' | 'typescript' | 'python' | 'java' | 'go'

/** A call of a tool of the agent, independent of the tool's argument names. */
export type ToolStep =
  | { readonly tool: 'list'; readonly path: string }
  | { readonly tool: 'read'; readonly path: string; readonly from?: number; readonly to?: number }
  | { readonly tool: 'search'; readonly text: string }
  | { readonly tool: 'edit'; readonly path: string; readonly find: string; readonly replacement: string }
  | { readonly tool: 'create'; readonly path: string; readonly content: string }
  | { readonly tool: 'delete'; readonly path: string }
  | { readonly tool: 'run'; readonly command: string }

/** The calls of each model answer, in order. */
export type Script = readonly (readonly ToolStep[])[]

/** How a solution fools a careless judge. None may be reported as verified. */
export type WrongKind =
  | 'changes_command'
  | 'deletes_test'
  | 'empty_test'
  | 'ends_process'
  | 'hard_codes'
  | 'no_tests'
  | 'passes_before'
  | 'prints_report'
  | 'replaces_helper'
  | 'skips_test'
  | 'still_fails'
  | 'weakens_test'

export type WrongSolution = { readonly kind: WrongKind; readonly script: Script }

export type Files = Readonly<Record<string, string>>

export type CorpusTask = {
  readonly id: string
  readonly language: Language
  readonly prompt: string
  /** The repository. */
  readonly files: Files
  /** The repository's own test command. */
  readonly command: string
  /** Packages of a registry that the repository needs, also after its solution. */
  readonly packages: readonly string[]
  /** The outcome of the command on the repository as it is. */
  readonly before: 'fails' | 'passes'
  /** Only the judge has these files. They replace those of the repository. */
  readonly hidden: Files
  /** Runs the hidden tests and nothing else. */
  readonly judge: string
  readonly solution: Script
  /** Whether the solution can be verified by the repository's own command. */
  readonly isVerifiable: boolean
  readonly wrong: readonly WrongSolution[]
}

export const list = (path = '.'): ToolStep => ({ tool: 'list', path })
export const read = (path: string, from?: number, to?: number): ToolStep => ({
  tool: 'read',
  path,
  ...(from !== undefined && { from }),
  ...(to !== undefined && { to }),
})
export const search = (text: string): ToolStep => ({ tool: 'search', text })
export const edit = (path: string, find: string, replacement: string): ToolStep => ({
  tool: 'edit',
  path,
  find,
  replacement,
})
export const create = (path: string, content: string): ToolStep => ({ tool: 'create', path, content })
export const remove = (path: string): ToolStep => ({ tool: 'delete', path })
export const run = (command: string): ToolStep => ({ tool: 'run', command })

/** The part that differs; the rest is the same for all tasks of a language. */
export type TaskInput = {
  readonly prompt: string
  /** Sources and tests. The language adds a manifest, a lockfile and a README. */
  readonly files: Files
  readonly packages?: readonly string[]
  readonly before?: 'fails' | 'passes'
  readonly hidden: string
  /** Absent: `list`, `read` of all files that are edited, these steps, and `run` of the command. */
  readonly solution: readonly ToolStep[] | Script
  readonly isVerifiable?: boolean
  readonly wrong?: Partial<Record<WrongKind, readonly ToolStep[]>>
}

export type LanguageRules = {
  readonly language: Language
  readonly command: string
  readonly judge: string
  /** The files of a repository with this name and text about it. */
  readonly manifest: (id: string, input: TaskInput) => Files
  readonly hidden: (id: string, input: TaskInput) => Files
}

/** Tasks by their ids, in the form of the corpus. */
export const tasksOf = (rules: LanguageRules, inputs: Readonly<Record<string, TaskInput>>): CorpusTask[] =>
  Object.entries(inputs).map(([id, input]) => taskOf(rules, id, input))

function taskOf(rules: LanguageRules, id: string, input: TaskInput): CorpusTask {
  const { prompt, packages = [], before = 'fails', isVerifiable = true, wrong = {} } = input
  const files = { ...rules.manifest(id, input), ...input.files }
  return {
    id,
    language: rules.language,
    prompt,
    files,
    command: rules.command,
    packages,
    before,
    hidden: rules.hidden(id, input),
    judge: rules.judge,
    solution: scriptOf(input.solution, files, rules.command),
    isVerifiable,
    wrong: Object.entries(wrong).map(([kind, steps]) => ({
      kind: kind as WrongKind,
      script: scriptOf(steps, files, rules.command),
    })),
  }
}

const isScript = (steps: readonly ToolStep[] | Script): steps is Script => Array.isArray(steps[0])

/** A model looks first, in parallel where it can, then changes one file after the other and runs the tests. */
function scriptOf(steps: readonly ToolStep[] | Script, files: Files, command: string): Script {
  if (isScript(steps)) return steps
  const changed = steps.flatMap((step) => (step.tool === 'edit' || step.tool === 'delete' ? step.path : []))
  const known = [...new Set(changed)].filter((path) => path in files)
  const reads = known.map((path) => read(path))
  return [[list()], ...(reads.length > 0 ? [reads] : []), ...steps.map((step) => [step]), [run(command)]]
}

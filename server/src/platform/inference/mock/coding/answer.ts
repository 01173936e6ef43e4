// Works a coding task off, clause by clause, and says honestly what was left.
import { outlineOf } from '../chat/explain.ts'
import { repair } from '../fix/repair.ts'
import { addFunction } from './add-function.ts'
import { type Clause, clausesOf } from './clauses.ts'
import { createSkeleton, createWithContent } from './create.ts'
import { documentFunction } from './document.ts'
import { addEndpoint } from './endpoint.ts'
import { type Answer, writeEnvelope } from './envelope.ts'
import { guardFunction } from './guard.ts'
import { languageOf } from './language.ts'
import { editJson } from './manifest.ts'
import { addField, addImport, addLine } from './members.ts'
import type { CodingPrompt } from './prompt.ts'
import type { Doing, Recogniser } from './recogniser.ts'
import { deleteFile, removeFunction, removePrinting } from './remove.ts'
import { renameName, replaceText } from './replace.ts'
import { addTests } from './tests.ts'
import { type Change, changesOf, openWorkspace, type Workspace } from './workspace.ts'

/** The narrow ones first: whoever recognises a clause has it. */
const RECOGNISERS: readonly Recogniser[] = [
  deleteFile,
  removePrinting,
  removeFunction,
  renameName,
  editJson,
  createWithContent,
  documentFunction,
  guardFunction,
  addEndpoint,
  replaceText,
  addImport,
  addField,
  addLine,
  addFunction,
  addTests,
  createSkeleton,
]

export function answerTask(prompt: CodingPrompt): string {
  const workspace = openWorkspace(prompt.files)
  const { doings, left } = work(prompt, workspace)
  const all = changesOf(workspace)
  const changes = all.filter(({ path }) => !prompt.partial.has(path))
  const dropped = all.filter(({ path }) => prompt.partial.has(path)).map(({ path }) => path)
  const answer = changes.length > 0 ? answerOf(doings, left, changes, dropped) : nothingDone(prompt)
  return writeEnvelope(prompt.nonce, { ...answer, changes })
}

function work({ task, tests }: CodingPrompt, workspace: Workspace) {
  const doings: Doing[] = []
  const left: Clause[] = []
  // With the tests' own words at hand, the task has been tried already: what counts now is what they say.
  const repaired = tests === undefined ? null : repair(workspace, tests)
  if (repaired !== null) doings.push(repaired)
  let isRepaired = repaired !== null
  for (const clause of clausesOf(task)) {
    if (isRepaired && isRepair(clause)) continue
    const doing = isRepair(clause) ? repair(workspace, `${task}\n${tests ?? ''}`) : firstOf(clause, workspace)
    if (doing === null) {
      left.push(clause)
      continue
    }
    doings.push(doing)
    isRepaired ||= isRepair(clause)
  }
  return { doings, left: repaired === null ? left : [] }
}

const isRepair = ({ text }: Clause): boolean =>
  /\b(fix|repair|debug|correct)\b|\bmake\b.{0,30}\b(pass|green|work)\b|\bfail(s|ing|ed)?\b/i.test(text)

function firstOf(clause: Clause, workspace: Workspace): Doing | null {
  for (const recognise of RECOGNISERS) {
    const doing = recognise(clause, workspace)
    if (doing !== null) return doing
  }
  return null
}

function answerOf(
  doings: readonly Doing[],
  left: readonly Clause[],
  changes: readonly Change[],
  dropped: readonly string[],
): Omit<Answer, 'changes'> {
  const asked = left.map(({ text }) => text).filter((text) => LOOKS_LIKE_WORK.test(text))
  const touched = changes.filter(({ after }) => after !== undefined)
  const check =
    touched.length > 0 ? [`Check the result in ${touched.map(({ path }) => path).join(', ')}.`] : []
  return {
    plan: [...doings.flatMap(({ steps }) => steps), ...check],
    summary: [
      ...doings.map(({ said }) => said),
      ...(asked.length > 0
        ? [`Not done, because the stand-in model does not understand it: ${asked.map(quoted).join('; ')}.`]
        : []),
      ...(dropped.length > 0
        ? [`Left alone after all, because only a part is shown: ${dropped.join(', ')}.`]
        : []),
      STAND_IN,
    ].join('\n'),
  }
}

/** Clauses that only explain are no work left undone. */
const LOOKS_LIKE_WORK =
  /\b(create|add|delete|remove|rename|replace|write|update|fix|make|change|implement|append|insert|generate|document|refactor|use|convert|move|should|must)\b/i

const STAND_IN = 'This was written by the stand-in model of the mock lane, which only knows simple tasks.'

function nothingDone({ task, files, tests }: CodingPrompt): Omit<Answer, 'changes'> {
  if (
    /^\W*(please\s+)?(explain|describe|summari[sz]e|outline|what (does|is|are)|how does)\b/i.test(
      task.slice(0, 200),
    ) &&
    files.size > 0
  )
    return {
      plan: ['Read the files.', 'Say what is in them; nothing is to be changed.'],
      summary: outlines(files),
    }
  const paths = [...files.keys()]
  return {
    plan: [
      `Read the task: ${quoted(task)}.`,
      paths.length > 0
        ? `Look at ${paths.slice(0, 5).join(', ')}${paths.length > 5 ? ' and the other files' : ''}.`
        : 'Find the files that it is about and pass them along.',
      tests === undefined
        ? 'Write a test that shows what is wanted.'
        : 'Find the first failing test and the function that it calls.',
      'Make the smallest change that does it, and run the tests.',
    ],
    summary: `No file was changed: the stand-in model of the mock lane cannot do this. It knows simple tasks such as creating a file, adding a well-known function with a test, renaming, replacing, documenting, deleting, and repairing small mistakes that a test shows. The plan is for a person, or for a real model once one is configured.`,
  }
}

const outlines = (files: ReadonlyMap<string, string>): string =>
  [...files]
    .slice(0, 10)
    .map(([path, text]) => `${path}: ${outlineOf(text.slice(0, 50_000), languageOf(path))}`)
    .join('\n\n')

const quoted = (text: string): string => {
  const line = text.replaceAll(/\s+/g, ' ').trim()
  return `“${line.length > 160 ? `${line.slice(0, 160)}…` : line}”`
}

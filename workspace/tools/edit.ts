// The tool `edit`: replaces parts of a file through the edit engine. A file gets all of the edits or none.
import { type ChangeBounds, changeFile } from '../edits/change-file.ts'
import { type EditFailure, toEditFailure } from '../edits/failures.ts'
import { EDIT_LIMITS, type FileBlock } from '../edits/file-block.ts'
import type { SyntaxGate } from '../edits/syntax-verdict.ts'
import { createWorkTime } from '../edits/work-time.ts'
import { fromPlainText, prefixLines, showCount, showPath, toPlainText } from '../text/plain-text.ts'
import { fail, succeed } from './tool-result.ts'
import type { EditInput, FileToolContext, TextEdit, ToolResult } from './tool-types.ts'
import { readWorkspaceText } from './workspace-text.ts'
import { checkWritePath } from './write-rules.ts'

type Failure = { readonly number: number; readonly failure: EditFailure }

export async function edit(
  context: FileToolContext,
  { path, edits }: EditInput,
  checkSyntax: SyntaxGate,
): Promise<ToolResult> {
  const refused = checkWritePath(context, path)
  if (refused) return refused
  const found = await readWorkspaceText(context, path)
  if ('problem' in found) return fail(found.problem)
  const base = found.text
  // Failures quote lines of the file, so its secrets must be known.
  await context.mask.learn(path, base)
  const restored = await restoreAll(context, edits, base)
  if (typeof restored === 'string') return fail(`Nothing was changed. ${restored}`)
  const { text, failures } = await applyEdits(path, base, restored)
  if (failures.length > 0) return describeFailures(path, failures)
  if (text === base) return fail(`Nothing was changed: the edits leave ${showPath(path)} as it is.`)
  const problem = await findProblem(checkSyntax, path, base, text)
  if (problem) return describeFailures(path, [{ number: edits.length, failure: problem }])
  return succeed(
    `Edited ${showPath(path)}: ${showCount(edits.length, 'edit')}, ${describeLines(base, text)}.`,
    {
      changes: [{ path, content: text }],
    },
  )
}

/** The edits with secret values in place of placeholders, or the problem. */
async function restoreAll(
  { mask }: FileToolContext,
  edits: readonly TextEdit[],
  home: string,
): Promise<TextEdit[] | string> {
  const restored: TextEdit[] = []
  for (const { find, replace, all } of edits) {
    const [before, after] = [await mask.restore(find, home), await mask.restore(replace, home)]
    if ('problem' in before) return before.problem
    if ('problem' in after) return after.problem
    restored.push({ find: before.text, replace: after.text, all })
  }
  return restored
}

/** Later edits are tried even after a failure, so that the model can fix all of them at once. */
async function applyEdits(
  path: string,
  base: string,
  edits: readonly TextEdit[],
): Promise<{ text: string; failures: Failure[] }> {
  // The syntax is checked once, after the last edit.
  const bounds: ChangeBounds = {
    limits: EDIT_LIMITS,
    time: createWorkTime(),
    checkSyntax: async () => ({ verdict: 'fine' }),
  }
  const failures: Failure[] = []
  let text = base
  for (const [i, each] of edits.entries()) {
    const block = toBlock(path, text, each)
    const changed = 'reason' in block ? [block] : await changeFile(path, text, [block], bounds)
    if (Array.isArray(changed)) failures.push(...changed.map((failure) => ({ number: i + 1, failure })))
    else text = changed.text ?? ''
  }
  return { text, failures }
}

async function findProblem(
  checkSyntax: SyntaxGate,
  path: string,
  base: string,
  text: string,
): Promise<EditFailure | undefined> {
  const syntax = await checkSyntax(path, base, text)
  if (syntax.verdict !== 'worse') return undefined
  return toEditFailure(path, 'syntax', {
    detail: `The first problem is in line ${syntax.line} of the result.`,
  })
}

/** The engine replaces whole lines, so an exact part of a line is extended to its lines. */
function toBlock(path: string, text: string, edit: TextEdit): FileBlock | EditFailure {
  const lines = text.replaceAll('\r\n', '\n').replace(/^\ufeff/, '')
  const { find, replace } = toFileText(lines, edit)
  const count = find === '' ? 0 : lines.split(find).length - 1
  if (count === 0) return hunkBlock(path, find, replace)
  if (count === 1) return hunkBlock(path, ...extendToLines(lines, lines.indexOf(find), find, replace))
  if (edit.all === true) return manyBlock(path, lines, find, replace)
  return toEditFailure(path, 'find_ambiguous', {
    detail: `It occurs ${count} times. Set all to replace every one.`,
  })
}

/** The edit in the characters of the file: line feeds, and invisible characters instead of their escapes. */
function toFileText(lines: string, { find, replace }: TextEdit): { find: string; replace: string } {
  const plain = { find: find.replaceAll('\r\n', '\n'), replace: replace.replaceAll('\r\n', '\n') }
  if (lines.includes(plain.find) || !plain.find.includes('\\u{')) return plain
  const decoded = fromPlainText(plain.find)
  return lines.includes(decoded) ? { find: decoded, replace: fromPlainText(plain.replace) } : plain
}

function extendToLines(
  lines: string,
  first: number,
  find: string,
  replace: string,
): [find: string, replace: string] {
  const start = lines.lastIndexOf('\n', first - 1) + 1
  const isWholeLines = find.endsWith('\n') && (replace === '' || replace.endsWith('\n'))
  if (isWholeLines && start === first) return [find.slice(0, -1), replace.replace(/\n$/, '')]
  const after = first + find.length
  const next = lines.indexOf('\n', after)
  const end = next === -1 ? lines.length : next
  return [lines.slice(start, end), lines.slice(start, first) + replace + lines.slice(after, end)]
}

const hunkBlock = (path: string, find: string, replace: string): FileBlock => ({
  path,
  action: 'update',
  why: '',
  change: { kind: 'hunks', hunks: [{ find, with: replace }] },
})

/** Replaces every occurrence. */
const manyBlock = (path: string, lines: string, find: string, replace: string): FileBlock => ({
  path,
  action: 'create',
  why: '',
  change: { kind: 'body', body: lines.replaceAll(find, () => replace), isGuess: false },
})

/** The words of the engine are those of another notation. */
const inToolWords = (message: string): string =>
  message
    .replaceAll('FIND and WITH', 'edits')
    .replaceAll('FILE create', 'create with overwrite')
    .replaceAll('FIND', 'find')

const FAILURES_SHOWN = 10

function describeFailures(path: string, failures: readonly Failure[]): ToolResult {
  const lines = failures.slice(0, FAILURES_SHOWN).map(({ number, failure: { message, closest } }) => {
    const problem = `Edit ${number}: ${toPlainText(inToolWords(message)).replaceAll('\n', ' ')}`
    return closest === undefined
      ? problem
      : `${problem} The closest lines of the file are:\n${prefixLines(toPlainText(closest))}`
  })
  return fail([`Nothing was changed in ${showPath(path)}.`, ...lines].join('\n'))
}

/** The lines that only one of the texts has, as a diff would count them at most. */
export function describeLines(base: string, text: string): string {
  const [before, after] = [base.split('\n'), text.split('\n')]
  let start = 0
  while (start < Math.min(before.length, after.length) && before[start] === after[start]) start += 1
  let end = 0
  while (end < Math.min(before.length, after.length) - start && before.at(-1 - end) === after.at(-1 - end))
    end += 1
  const last = Math.max(start + 1, after.length - end)
  return `now ${showCount(after.length - (text.endsWith('\n') ? 1 : 0), 'line')}, changed between lines ${start + 1} and ${last}`
}

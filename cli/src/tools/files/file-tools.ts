// The tools for files: list, read, search, edit, create, delete.

import { realpath } from 'node:fs/promises'
import { basename, dirname } from 'node:path'
import { isSecretFile } from '@cowrie/sdk/secrets'
import { showPath } from '@cowrie/workspace/text/plain-text.ts'
import { list } from '@cowrie/workspace/tools/list.ts'
import { read } from '@cowrie/workspace/tools/read.ts'
import { fail } from '@cowrie/workspace/tools/tool-result.ts'
import type { ToolResult } from '@cowrie/workspace/tools/tool-types.ts'
import { FILE_BYTES_MAX } from '@cowrie/workspace/tools/workspace-text.ts'
import { readRegularFile } from '../../apply/files/safe-read.ts'
import { whySensitive } from '../../apply/files/sensitive.ts'
import { Failure } from '../../errors.ts'
import type { Assessment, ToolCall, ToolGroup, ToolReport } from '../../session/types.ts'
import { diffLines } from '../../terminal/diff-lines.ts'
import { type CallStore, idOfCall } from '../call-store.ts'
import type { ChangeRecords } from './change-records.ts'
import type { LocalFiles } from './local-files.ts'
import type { LocalMask } from './local-mask.ts'
import { locatePath } from './local-path.ts'
import { searchLocally } from './local-search.ts'
import { type ChangeCall, type PlannedChange, planChange } from './plan-change.ts'
import { FILE_TOOLS, type FileCall, readFileCall } from './read-input.ts'

export type FileToolsOptions = {
  readonly files: LocalFiles
  readonly mask: LocalMask
  readonly calls: CallStore
  readonly records: ChangeRecords
  readonly home: string | null
  readonly isDataSaver: boolean
  readonly meaning: ((query: string) => Promise<string>) | undefined
}

const READ_ONLY: ReadonlySet<string> = new Set(['list', 'read', 'search'])
const SAVING = { lines: 400, bytes: 16_000 }
const SUMMARY_CHARACTERS_MAX = 160

export function createFileTools(options: FileToolsOptions): ToolGroup {
  return {
    definitions: [],
    names: FILE_TOOLS,
    isReadOnly: (tool) => READ_ONLY.has(tool),
    assess: (call) => assess(options, call),
    run: (call, { signal }) => run(options, call, signal),
    close: async () => undefined,
  }
}

/** The call with a path relative to the root, or where else it leads. */
type Located =
  | { readonly kind: 'inside'; readonly call: FileCall }
  | { readonly kind: 'outside'; readonly call: FileCall; readonly path: string }
  | { readonly kind: 'wrong'; readonly reason: string }

function locate({ files, home }: FileToolsOptions, { tool, input }: ToolCall): Located {
  const call = readFileCall(tool, input)
  if (call === null) return { kind: 'wrong', reason: `The arguments of ${tool} are wrong.` }
  if (call.input.path === undefined) return { kind: 'inside', call }
  const located = locatePath(call.input.path, { root: files.root, home })
  if (located.kind === 'wrong') return located
  // The input keeps its other fields.
  const moved = { name: call.name, input: { ...call.input, path: located.path } } as FileCall
  return located.kind === 'inside' ? { kind: 'inside', call: moved } : { ...located, call: moved }
}

const isChange = ({ name }: FileCall): boolean => !READ_ONLY.has(name)
const toChange = ({ name, input }: FileCall): ChangeCall => ({ tool: name, input }) as ChangeCall

async function assess(options: FileToolsOptions, toolCall: ToolCall): Promise<Assessment> {
  const located = locate(options, toolCall)
  if (located.kind === 'wrong') return { kind: 'refused', reason: located.reason }
  if (located.kind === 'outside') return assessOutside(located.call, located.path)
  if (!isChange(located.call)) return { kind: 'free' }
  await options.mask.refresh()
  const planned = await planChange(options, toChange(located.call))
  // It fails and changes nothing. The result tells the model why.
  if (!planned.step) return { kind: 'free' }
  const { path } = planned.step
  const folder = dirname(path)
  return {
    kind: 'ask',
    about: whySensitive(path) === null ? 'edit' : 'sensitive',
    subject: path,
    preview: diffLines(planned.diff.lines, SHOWN),
    patterns: [path, ...(folder === '.' ? [] : [`${folder}/**`])],
  }
}

function assessOutside({ name }: FileCall, path: string): Assessment {
  const shown = showPath(path)
  if (name !== 'read')
    return {
      kind: 'refused',
      reason: `${shown} is outside of the workspace. Only files inside of it can be ${READ_ONLY.has(name) ? 'listed and searched' : 'changed'}.`,
    }
  if (isSecretFile(path)) return { kind: 'refused', reason: withheldOutside(path) }
  return { kind: 'ask', about: 'outside', subject: path, preview: [`Read ${shown}`], patterns: [path] }
}

const withheldOutside = (path: string): string =>
  `${showPath(path)} holds secrets and is outside of the workspace. It is never read.`

async function run(options: FileToolsOptions, toolCall: ToolCall, signal: AbortSignal): Promise<ToolReport> {
  const located = locate(options, toolCall)
  if (located.kind === 'wrong') return toReport(fail(located.reason))
  await options.mask.refresh()
  if (located.kind === 'outside') return runOutside(options, located.call, located.path)
  const { call } = located
  if (isChange(call)) return change(options, toolCall, toChange(call))
  return toReport(await masked(options, call, await look(options, call, signal)))
}

async function look(options: FileToolsOptions, call: FileCall, signal: AbortSignal): Promise<ToolResult> {
  const { files, mask, isDataSaver } = options
  if (call.name === 'search') return searchLocally(options, call.input, signal)
  if (call.name === 'list') {
    const { workspace, notes } = await files.list(call.input.path ?? '', signal)
    const result = await list({ workspace, mask, isApproved: true }, call.input)
    return notes.length === 0 ? result : { ...result, output: [result.output, ...notes].join('\n') }
  }
  if (call.name !== 'read') return fail(`${call.name} does not read.`)
  const { path } = call.input
  const opened = await files.open(path, 'read')
  if (opened.isFolder) return fail(`${showPath(path)} is a folder. Use list to see its files.`)
  const isKnown = opened.workspace.files.has(path) || opened.workspace.skipped.length > 0
  // A missing file: similar names are suggested.
  const workspace = isKnown ? opened.workspace : (await files.list('', signal)).workspace
  return read({ workspace, mask, isApproved: true }, call.input, isDataSaver ? SAVING : undefined)
}

/** File names and quoted lines can contain secrets too. The text of `read` is masked as a whole. */
async function masked(
  { mask }: FileToolsOptions,
  { name }: FileCall,
  result: ToolResult,
): Promise<ToolResult> {
  if (name === 'read') return result
  return { ...result, output: (await mask.hideOutput(`result of ${name}`, result.output)).text }
}

async function runOutside(options: FileToolsOptions, call: FileCall, path: string): Promise<ToolReport> {
  const verdict = assessOutside(call, path)
  if (verdict.kind === 'refused' || call.name !== 'read')
    return toReport(fail(verdict.kind === 'refused' ? verdict.reason : 'Only read works outside.'))
  const real = await realpath(path).catch(() => null)
  if (real === null) return toReport(fail(`There is no file ${showPath(path)}.`))
  // A link must not bypass the rules for the name of its target.
  if (isSecretFile(real)) return toReport(fail(withheldOutside(path)))
  const found = await readRegularFile(real, FILE_BYTES_MAX)
  if (!found) return toReport(fail(`${showPath(path)} is not a file of at most 2 MB that can be read.`))
  // The shared tool takes clean relative paths; the name stands for the file here.
  const name = `outside/${basename(real).replace(/[^\w.-]/g, '_') || 'file'}`
  const workspace = {
    files: new Map([[name, { bytes: found.bytes.length }]]),
    skipped: [],
    read: async () => found.bytes,
  }
  const context = { workspace, mask: options.mask, isApproved: true }
  const result = await read(context, { ...call.input, path: name }, options.isDataSaver ? SAVING : undefined)
  return toReport({ ...result, output: result.output.replace(name, () => showPath(path)) })
}

/** The report is stored before the file is written: after a crash the records tell whether it holds. */
async function change(options: FileToolsOptions, toolCall: ToolCall, call: ChangeCall): Promise<ToolReport> {
  const planned = await planChange(options, call)
  const { text } = await options.mask.hideOutput(`result of ${call.tool}`, planned.result.output)
  const result = { ...planned.result, output: text }
  if (!planned.step) return toReport(result)
  const report = toChangeReport(planned, result)
  await options.calls.write(toolCall, 'planned', report)
  try {
    await options.records.write(idOfCall(toolCall.callId), planned.step)
    return report
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    const { text: reason } = await options.mask.hideOutput(`result of ${call.tool}`, error.message)
    return toReport(fail(`Nothing was changed. ${reason}`))
  }
}

const VERBS = { create: 'Created', update: 'Changed', delete: 'Deleted' } as const

/** The path is in the title. */
const SHOWN = { hasPath: false, linesMax: 200 }

function toChangeReport({ diff, patch }: PlannedChange, result: ToolResult): ToolReport {
  const { path, action, addedLines, removedLines } = diff
  return {
    ok: true,
    output: result.output,
    changes: [{ path, patch }],
    summary: `${VERBS[action]} ${showPath(path)} +${addedLines} -${removedLines}`,
    details: diffLines(diff.lines, SHOWN),
  }
}

function toReport({ ok, output }: ToolResult): ToolReport {
  const [first = ''] = output.split('\n', 1)
  const summary = first.length > SUMMARY_CHARACTERS_MAX ? `${first.slice(0, SUMMARY_CHARACTERS_MAX)}…` : first
  return { ok, output, summary }
}

// The tools of one repository on this computer: the file tools and the groups that the caller adds. Every report is on disk before
// it is returned, without the secrets of the repository.
import { realpath } from 'node:fs/promises'
import { join } from 'node:path'
import { showPath } from '@cowrie/workspace/text/plain-text.ts'
import { readRules } from '../context/ignore-rules.ts'
import { patchOf } from '../diff/unified.ts'
import { Failure } from '../errors.ts'
import type { RunOptions, Toolbox, ToolCall, ToolGroup, ToolReport, Undone } from '../session/types.ts'
import { type CallStore, idOfCall, openCallStore } from './call-store.ts'
import { readConventions } from './conventions.ts'
import { type ChangeRecords, openChangeRecords } from './files/change-records.ts'
import { createFileTools } from './files/file-tools.ts'
import { openLocalFiles } from './files/local-files.ts'
import { type LocalMask, openLocalMask } from './files/local-mask.ts'
import { diffWithoutSecrets } from './files/plan-change.ts'
import type { LocalGroup } from './tool-group.ts'

export type ToolboxOptions = {
  readonly root: string
  /** The state folder of the session. */
  readonly folder: string
  readonly env: Readonly<Record<string, string | undefined>>
  /** Null without a home folder. */
  readonly home: string | null
  readonly isDataSaver: boolean
  /** For groups. The file tools need neither. */
  readonly platform?: NodeJS.Platform
  readonly isNetworkAllowed?: boolean
  /** The setting `exclude`: files that are never read or sent. */
  readonly exclude?: readonly string[]
  /** Searches the index of the organisation. */
  readonly meaning?: (query: string) => Promise<string>
  readonly groups: readonly LocalGroup[]
  /** Calls hooks around the file tools. Changes that a hook makes to the changed file are undone with it. */
  readonly wrapFiles?: (files: ToolGroup) => ToolGroup
  /** Called with a sentence for the user about an earlier process of this session. */
  readonly onNote?: (note: string) => void
}

/** Also finishes or rolls back what an earlier process of this session left. */
export async function openToolbox(options: ToolboxOptions): Promise<Toolbox> {
  const { env, home, isDataSaver, meaning, exclude = [] } = options
  const folder = join(options.folder, 'tools')
  const root = await realpath(options.root)
  const files = openLocalFiles(root, env, () => readRules(root, { exclude }))
  const records = await openChangeRecords(join(folder, 'changes'), root)
  if (records.leftAlone.length > 0)
    options.onNote?.(
      `An interrupted change was not taken back, because the file changed since: ${records.leftAlone.join(', ')}.`,
    )
  const calls = openCallStore(join(folder, 'reports'))
  const mask = await openLocalMask(join(folder, 'mask.json'), files)
  const bareTools = createFileTools({ files, mask, calls, records, home, isDataSaver, meaning })
  const fileTools = options.wrapFiles?.(bareTools) ?? bareTools
  const groups: readonly LocalGroup[] = [fileTools, ...options.groups]
  // The first group wins, so no MCP server can replace a tool of this program.
  const byName = new Map(groups.toReversed().flatMap((group) => group.names.map((name) => [name, group])))
  const running = new Map<string, Promise<ToolReport>>()

  async function run(call: ToolCall, runOptions: RunOptions): Promise<ToolReport> {
    const group = byName.get(call.tool)
    if (!group) return failure(`This computer does not offer the tool ${call.tool}.`)
    if (calls.find(call.callId)?.state === 'started') await learnInterrupted(group, call)
    const stored = await findReport(calls, records, call)
    if (stored) return stored
    const report = await runNew(group, call, runOptions)
    await calls.write(call, 'done', report)
    return report
  }

  /** Records what a call of an earlier process has changed, so that undo covers it. */
  async function learnInterrupted(group: LocalGroup, call: ToolCall): Promise<void> {
    const known = await group.interrupted?.(call)
    if (!known) return
    const { steps = [], ...report } = known
    const id = idOfCall(call.callId)
    if (steps.length > 0 && !(await records.list()).includes(id)) await records.add(id, steps)
    await mask.refresh(true)
    await calls.write(call, 'done', await hideSecrets(mask, call, report))
  }

  async function runNew(group: LocalGroup, call: ToolCall, runOptions: RunOptions): Promise<ToolReport> {
    const isReadOnly = group.isReadOnly(call.tool)
    if (group !== fileTools && !isReadOnly) await calls.write(call, 'started', null)
    try {
      const { steps = [], ...report } = await group.run(call, runOptions)
      if (group === fileTools) return await withLaterChange({ calls, records, mask }, call, report)
      if (steps.length > 0) await records.add(idOfCall(call.callId), steps)
      await mask.refresh(!isReadOnly)
      return await hideSecrets(mask, call, report)
    } catch (error) {
      return failure(`${call.tool} failed: ${error instanceof Error ? error.message : String(error)}`)
    }
  }

  return {
    definitions: groups.flatMap((group) =>
      group.definitions.filter(({ name }) => byName.get(name) === group),
    ),
    names: [...byName.keys()],
    isReadOnly: (tool) => byName.get(tool)?.isReadOnly(tool) ?? false,
    async assess(call) {
      const group = byName.get(call.tool)
      if (!group) return { kind: 'refused', reason: `This computer does not offer the tool ${call.tool}.` }
      // A call that has run before returns its report, and does nothing.
      return (await findReport(calls, records, call)) ? { kind: 'free' } : group.assess(call)
    },
    run(call, runOptions) {
      const known = running.get(call.callId)
      if (known) return known
      const work = run(call, runOptions).finally(() => running.delete(call.callId))
      running.set(call.callId, work)
      return work
    },
    async close() {
      await Promise.all(groups.map((group) => group.close()))
    },
    conventions: () => readConventions(files, mask),
    async changes() {
      const found = (await records.list()).map((id) => calls.findById(id))
      return found.flatMap((call) =>
        (call?.report?.changes ?? []).map(({ path, patch }) => ({
          turnId: call?.turnId ?? '',
          path,
          patch,
        })),
      )
    },
    undo: (turnId) => undo(calls, records, turnId),
    todos: () => groups.flatMap((group) => group.todos?.() ?? []),
    running: () => groups.flatMap((group) => group.running?.() ?? []),
  }
}

/** A hook may have changed the file after the tool. */
async function withLaterChange(
  { calls, records, mask }: { calls: CallStore; records: ChangeRecords; mask: LocalMask },
  call: ToolCall,
  report: ToolReport,
): Promise<ToolReport> {
  if (!report.ok || !report.changes?.length) return report
  const later = { ...call, callId: `${call.callId} after` }
  const [step] = await records.addSince(idOfCall(call.callId), idOfCall(later.callId))
  if (!step) return report
  const { path, before, after } = step
  const note = `A hook of the user changed ${showPath(path)} afterwards: read it before you edit it again.`
  const patch = patchOf([await diffWithoutSecrets(mask, path, before, after)])
  await calls.write(later, 'done', { ok: true, output: note, summary: note })
  return { ...report, output: `${report.output}\n${note}`, changes: [{ path, patch }] }
}

/** The report of a call that has run before; null if it must run. */
async function findReport(
  calls: CallStore,
  records: ChangeRecords,
  { callId }: ToolCall,
): Promise<ToolReport | null> {
  const stored = calls.find(callId)
  if (!stored) return (await records.list()).includes(idOfCall(callId)) ? failure(REPORT_LOST) : null
  if (stored.state === 'started')
    return failure(
      `${stored.tool} was started, and this program ended before it did. It may have had an effect: check before you call it again.`,
    )
  if (stored.state === 'done') return stored.report
  // The change is in the records, or it was rolled back.
  return (await records.list()).includes(idOfCall(callId)) ? stored.report : null
}

const REPORT_LOST =
  'This change has been made, but its report was lost. Read the file before you change it again.'

const failure = (output: string): ToolReport => ({ ok: false, output, summary: output })

/** The output of a command or an MCP server may contain values of files that it read. */
async function hideSecrets(mask: LocalMask, { tool }: ToolCall, report: ToolReport): Promise<ToolReport> {
  const isComplete = await mask.learnFolder()
  const { text } = await mask.hideOutput(`result of ${tool}`, report.output)
  const changes: { path: string; patch: string }[] = []
  for (const { path, patch } of report.changes ?? [])
    changes.push({ path, patch: (await mask.hideOutput(path, patch)).text })
  const note = isComplete ? '' : ' (not all files were examined for secrets yet)'
  return {
    ...report,
    output: text,
    summary: `${report.summary}${note}`,
    ...(report.changes && { changes }),
  }
}

/** Undoes a turn and all later ones, because their changes build on it. */
async function undo(calls: CallStore, records: ChangeRecords, turnId: string | 'last'): Promise<Undone> {
  const made = (await records.list()).map((id) => ({ id, turnId: calls.findById(id)?.turnId }))
  const wanted = turnId === 'last' ? made.findLast((each) => each.turnId !== undefined)?.turnId : turnId
  const first = made.findIndex((each) => each.turnId === wanted)
  if (wanted === undefined || first === -1)
    throw new Failure('nothing_to_undo', 'There is no change of this session to undo.')
  return records.undo(new Set(made.slice(first).map(({ id }) => id)))
}

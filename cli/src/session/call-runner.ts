// Runs the calls of a turn: calls that only read at the same time, all others one after another in the order of the model.
import type { CallLog } from './call-log.ts'
import { compareCalls } from './known-results.ts'
import type { Assessment, Decide, SessionEvent, Toolbox, ToolCall, ToolReport } from './types.ts'

export type CallRunner = {
  /** A call that is known already is ignored. */
  add(call: ToolCall): void
  /** Someone else has answered it. */
  drop(callId: string): void
  /** Calls without a report. */
  readonly openCalls: number
  /** Starts no further call, and ends the running ones. Resolves with what they did, at the latest after `ms`. */
  stop(ms: number): Promise<readonly FinishedCall[]>
}

export type FinishedCall = { readonly call: ToolCall; readonly report: ToolReport }

export type CallRunnerOptions = {
  readonly toolbox: Toolbox
  readonly log: CallLog
  readonly decide: Decide
  readonly onEvent: (event: SessionEvent) => void
  /** With each report, until `stop`. */
  readonly onReport: (finished: FinishedCall) => void
  /** An error of this program, or a state that cannot be stored. */
  readonly onError: (error: unknown) => void
}

type Entry = { readonly call: ToolCall; readonly isReadOnly: boolean; state: 'waiting' | 'running' | 'done' }

const AT_ONCE_MAX = 4
/** They change nothing and cost nothing, so they need no record. */
const FREE_TOOLS: ReadonlySet<string> = new Set(['list', 'read', 'search'])

export const isFree = (tool: string): boolean => FREE_TOOLS.has(tool)

export function createCallRunner(options: CallRunnerOptions): CallRunner {
  const { toolbox, log, onEvent } = options
  const entries: Entry[] = []
  const end = new AbortController()
  const stopped: FinishedCall[] = []
  const whenIdle: (() => void)[] = []
  /** Questions are asked one after another. */
  let lastQuestion: Promise<unknown> = Promise.resolve()

  function pump(): void {
    if (end.signal.aborted) return
    let running = entries.filter(({ state }) => state === 'running').length
    for (const entry of entries) {
      if (entry.state === 'done') continue
      if (entry.state === 'running') {
        if (!entry.isReadOnly) return
        continue
      }
      if (entry.isReadOnly ? running >= AT_ONCE_MAX : running > 0) return
      running++
      entry.state = 'running'
      void perform(entry)
      if (!entry.isReadOnly) return
    }
  }

  async function perform(entry: Entry): Promise<void> {
    try {
      const report = await runCall(entry.call)
      if (report) finish(entry, report)
    } catch (error) {
      options.onError(error)
    } finally {
      entry.state = 'done'
      if (!entries.some(({ state }) => state === 'running'))
        for (const resolve of whenIdle.splice(0)) resolve()
      pump()
    }
  }

  function finish(entry: Entry, report: ToolReport): void {
    entry.state = 'done'
    const finished = { call: entry.call, report }
    onEvent({ kind: 'report', ...finished })
    if (end.signal.aborted) stopped.push(finished)
    else options.onReport(finished)
  }

  /** Null: nothing was done, because the turn was stopped before. */
  async function runCall(call: ToolCall): Promise<ToolReport | null> {
    const logged = isFree(call.tool) ? null : log.find(call.callId)
    onEvent({ kind: 'call', call })
    if (logged?.state === 'reported') return logged.report
    if (!toolbox.names.includes(call.tool))
      return failed(`This client does not offer the tool ${call.tool}.`, 'not offered')
    const assessment = await toolbox.assess(call)
    if (assessment.kind === 'refused') return failed(assessment.reason, 'refused')
    if (assessment.kind === 'ask') {
      const decision = await ask(call, assessment)
      if (decision === null) return null
      if (!decision.allow) return failed(declined(decision.reason), 'declined')
    }
    if (end.signal.aborted) return null
    return run(call)
  }

  function ask(call: ToolCall, assessment: Extract<Assessment, { kind: 'ask' }>) {
    const answer = lastQuestion.then(async () => {
      if (end.signal.aborted) return null
      try {
        return await options.decide(call, assessment, end.signal)
      } catch (error) {
        if (end.signal.aborted) return null
        throw error
      }
    })
    lastQuestion = answer.catch(() => undefined)
    return answer
  }

  async function run(call: ToolCall): Promise<ToolReport> {
    const isLogged = !isFree(call.tool)
    if (isLogged) await log.start(call)
    const report = await performTool(call)
    if (isLogged) await log.report(call, report)
    return report
  }

  async function performTool(call: ToolCall): Promise<ToolReport> {
    try {
      const onOutput = (text: string) => onEvent({ kind: 'output', callId: call.callId, text })
      const report = await toolbox.run(call, { signal: end.signal, onOutput })
      if (!end.signal.aborted || report.ok || isFree(call.tool)) return report
      return { ...report, output: `${STOPPED}\n${report.output}` }
    } catch (error) {
      if (end.signal.aborted) return failed(STOPPED, 'stopped')
      return failed(`The tool failed: ${error instanceof Error ? error.message : String(error)}`, 'failed')
    }
  }

  return {
    add(call) {
      if (entries.some((each) => each.call.callId === call.callId)) return
      const isKnown = toolbox.names.includes(call.tool)
      entries.push({ call, isReadOnly: isKnown && toolbox.isReadOnly(call.tool), state: 'waiting' })
      entries.sort((a, b) => compareCalls(a.call.callId, b.call.callId))
      pump()
    },
    drop(callId) {
      const entry = entries.find(({ call }) => call.callId === callId)
      if (entry?.state === 'waiting') entry.state = 'done'
      pump()
    },
    get openCalls() {
      return entries.filter(({ state }) => state !== 'done').length
    },
    async stop(ms) {
      end.abort(new Error('the turn was stopped'))
      if (entries.some(({ state }) => state === 'running')) {
        let timer: ReturnType<typeof setTimeout> | undefined
        await new Promise<void>((resolve) => {
          whenIdle.push(resolve)
          timer = setTimeout(resolve, ms)
        })
        clearTimeout(timer)
      }
      return stopped
    },
  }
}

const STOPPED = 'The user stopped this call before it had finished. It may have had effects.'
const declined = (reason: string): string =>
  `The user declined this call${reason === '' ? '' : `: ${reason}`}. Do not try it again without asking.`

const failed = (output: string, summary: string): ToolReport => ({ ok: false, output, summary })

// Tells the model about calls that ran although their turn ended before the service took the results.
import type { LoggedCall } from './call-log.ts'
import { type FinishedCall, isFree } from './call-runner.ts'
import type { TurnBody } from './state.ts'

const OUTPUT_CHARACTERS = 1_500
const TEXT_CHARACTERS = 20_000
const ATTACHMENTS_MAX = 10
const NAME = 'calls-of-the-stopped-turn.txt'
const HEAD =
  'The last turn was stopped before the results of these calls arrived. They did run on the computer of the user:'

/** Null if there is nothing to tell. */
export function unreportedText(
  earlier: string | null,
  calls: readonly FinishedCall[],
  logged: readonly LoggedCall[],
): string | null {
  const told = new Set(calls.map(({ call }) => call.callId))
  const lines = [
    ...calls.flatMap(({ call, report }) =>
      isFree(call.tool) ? [] : describe(call.tool, JSON.stringify(call.input), report),
    ),
    ...logged
      .filter(({ callId, tool }) => !told.has(callId) && !isFree(tool))
      .map((each) =>
        each.state === 'reported'
          ? describe(each.tool, each.callId, each.report)
          : `- ${each.tool} ${each.callId}: interrupted. It may have had effects.`,
      ),
  ]
  const text = [...(earlier === null ? [] : [earlier]), ...lines].join('\n')
  return text === '' ? null : text.slice(-TEXT_CHARACTERS).toWellFormed()
}

function describe(tool: string, about: string, { ok, output }: { ok: boolean; output: string }): string {
  const shown = output.length > OUTPUT_CHARACTERS ? `… ${output.slice(-OUTPUT_CHARACTERS)}` : output
  return `- ${tool} ${about.slice(0, 300)}: ${ok ? 'done' : 'failed or stopped'}.\n${shown}`
}

export function withUnreported(body: TurnBody, unreported: string | null): TurnBody {
  if (unreported === null) return body
  const content = `${HEAD}\n${unreported}`
  const attachments = body.attachments ?? []
  if (attachments.length < ATTACHMENTS_MAX)
    return { ...body, attachments: [...attachments, { name: NAME, content }] }
  return { ...body, prompt: `${body.prompt}\n\n${content}` }
}

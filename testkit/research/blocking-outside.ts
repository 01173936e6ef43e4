// Fake web and model services for many concurrent runs. They attribute calls to runs and can block any call.

import type { Message } from '@cowrie/server/src/platform/inference/inference.ts'
import type { ResearchRunId } from '@cowrie/server/src/research/types.ts'
import { replyTo } from '../../dev/model/reply.ts'
import { type FakeUpstream, startFakeUpstream } from '../fakes/models/fake-upstream.ts'
import { type FakeWeb, startWeb } from '../fakes/web-pages.ts'
import { scriptedModel } from './model-script.ts'

export type KnownRun = {
  readonly id: ResearchRunId
  readonly nonce: string
  /** The step of the current model turn. */
  step(): Promise<string>
}

export type BlockingOutside = {
  readonly web: FakeWeb
  readonly upstream: FakeUpstream
  readonly variables: Record<string, string>
  /** From now on, attributes calls to this run. */
  know(run: KnownRun): void
  /** Blocks the next call of a run with this name: the step of a model turn, `search 1` or `search 2`. */
  hold(run: ResearchRunId, call: string): void
  /** Whether the call is blocked now. */
  isHeld(run: ResearchRunId): boolean
  release(run: ResearchRunId): void
  /** Blocks model turns of unknown runs until the returned function is called. */
  holdOthers(): () => void
  /** The calls of a run, oldest first. */
  callsOf(run: ResearchRunId): readonly string[]
  close(): Promise<void>
}

type HeldCall = { readonly call: string; readonly released: PromiseWithResolvers<void>; isHeld: boolean }

/** Two sentences that no finding supports, so that there is something to repair. */
const UNSUPPORTED_SENTENCES =
  '\n\nThe port of Makoro has 99 lighthouses [F1]. The port of Makoro sank in 1742 [F2].'
const REPAIRS = JSON.stringify({ repairs: [{ s: 1, text: 'The port of Makoro has lighthouses [F1].' }] })
/** Pages that answer correctly and at once. */
const GOOD = /^\/(harbour-review|coast-daily|trade-notes|makoro-observer)\//

export async function startBlockingOutside(): Promise<BlockingOutside> {
  const web = await startWeb()
  web.show(web.pages.map(({ path }) => path).filter((path) => GOOD.test(path)))
  const upstream = await startFakeUpstream()
  const known: KnownRun[] = []
  const holds = new Map<ResearchRunId, HeldCall>()
  const calls = new Map<ResearchRunId, string[]>()
  let others: Promise<void> | undefined

  const arrive = async (run: ResearchRunId, call: string): Promise<void> => {
    calls.set(run, [...(calls.get(run) ?? []), call])
    const hold = holds.get(run)
    if (hold?.call !== call) return
    hold.isHeld = true
    await hold.released.promise
  }
  const indexOf = (messages: readonly Message[]) =>
    known.findIndex(({ nonce }) => messages.some(({ content }) => content.includes(nonce)))
  const marked = (pass: 1 | 2) => (messages: readonly Message[]) =>
    withMark(replyTo(messages), markOf(indexOf(messages), pass))
  const model = scriptedModel({
    answers: {
      plan: marked(1),
      gap: marked(2),
      report: (messages) => `${replyTo(messages)}${UNSUPPORTED_SENTENCES}`,
      repair: REPAIRS,
    },
  })
  upstream.fallback((request) => {
    // The service sends messages in this form.
    const messages = request.body.messages as readonly Message[]
    const text = model.answer(messages)
    const run = known[indexOf(messages)]
    const turn = async () => (run ? arrive(run.id, await run.step()) : others)
    return { pieces: [turn, text] }
  })
  web.search.fallback(({ text }) => {
    const [, letter = '', pass = ''] = MARK.exec(text) ?? []
    const run = known[letter.charCodeAt(0) - A]
    return run ? { until: arrive(run.id, `search ${pass.length}`) } : null
  })

  return {
    web,
    upstream,
    variables: {
      ...web.variables,
      SERVICE_UPSTREAM_BASE_URL: upstream.url,
      SERVICE_UPSTREAM_API_KEY: 'anything',
      SERVICE_UPSTREAM_OPEN_MODEL: 'small-1',
      SERVICE_UPSTREAM_FIRST_BYTE_MS: '600000',
      SERVICE_UPSTREAM_IDLE_MS: '600000',
      SERVICE_RESEARCH_SEARCH_TIMEOUT_MS: '120000',
      SERVICE_RESEARCH_SEARCH_DEADLINE_MS: '600000',
    },
    know: (run) => void known.push(run),
    hold: (run, call) => void holds.set(run, { call, released: Promise.withResolvers(), isHeld: false }),
    isHeld: (run) => holds.get(run)?.isHeld ?? false,
    release(run) {
      holds.get(run)?.released.resolve()
      holds.delete(run)
    },
    holdOthers() {
      const { promise, resolve } = Promise.withResolvers<void>()
      others = promise
      return () => {
        others = undefined
        resolve()
      }
    },
    callsOf: (run) => calls.get(run) ?? [],
    async close() {
      for (const { released } of holds.values()) released.resolve()
      await upstream.close()
      await web.close()
    },
  }
}

/** A word that no page contains, added to each query. It changes no result, and identifies the run and the pass. */
const A = 'a'.charCodeAt(0)
const MARK = /\bzq([a-z])q(w{1,2})\b/
const markOf = (index: number, pass: number): string =>
  ` zq${String.fromCharCode(A + index)}q${'w'.repeat(pass)}`

export const withoutMarks = (text: string): string => text.replaceAll(new RegExp(` ?${MARK.source}`, 'g'), '')

type MarkedAnswer = { subquestions?: { queries: string[] }[]; queries?: { query: string }[] }

function withMark(text: string, mark: string): string {
  // The development model answers with JSON of this form.
  const answer = JSON.parse(text) as MarkedAnswer
  for (const part of answer.subquestions ?? []) part.queries = part.queries.map((query) => `${query}${mark}`)
  for (const each of answer.queries ?? []) each.query += mark
  return JSON.stringify(answer)
}

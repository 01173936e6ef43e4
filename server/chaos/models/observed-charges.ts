// What customers of models were told, which must be what they were charged.

export type CompletionCharges = { readonly costs: bigint[]; unheard: number }

export type ObservedCharges = {
  /** Message → what it cost. */
  readonly messages: Map<string, bigint>
  /** Run → what it cost. */
  readonly runs: Map<string, bigint>
  readonly loops: Map<string, { readonly iterations: number; readonly minor: bigint }>
  /** What a loop had cost up to an iteration, as a step of it said. */
  readonly steps: Map<string, { readonly turn: number; readonly minor: bigint }[]>
  /** Customer → what calls through the compatible door cost, and how many may have cost something nobody heard. */
  readonly completions: Map<string, CompletionCharges>
  /** Prompts that were sent under a key, each under one of its own: none may be paid for twice. */
  readonly keyed: Set<string>
  /** Prompts of which the last word was that they failed or were refused: none may be paid for at all. */
  readonly free: Set<string>
  /** What was already wrong by itself when it was told. */
  readonly contradictions: string[]
  readonly counts: Record<EventName, number>
}

export const EVENT_NAMES = [
  'kills',
  'answers',
  'lost connections',
  'closed early',
  'stops',
  'retries',
  'takeovers',
  'replays',
  'free failures',
  'refusals',
  'not retried',
] as const
export type EventName = (typeof EVENT_NAMES)[number]

export const createObservedCharges = (): ObservedCharges => ({
  messages: new Map(),
  runs: new Map(),
  loops: new Map(),
  steps: new Map(),
  completions: new Map(),
  keyed: new Set(),
  free: new Set(),
  contradictions: [],
  counts: Object.fromEntries(EVENT_NAMES.map((name) => [name, 0])) as Record<EventName, number>,
})

/** What happened, in one line. */
export const summaryOf = ({ counts, messages, runs, loops }: ObservedCharges): string =>
  [
    ...EVENT_NAMES.map((name) => `${counts[name]} ${name}`),
    `told of ${messages.size} messages, ${runs.size} runs and ${loops.size} loops`,
  ].join(', ')

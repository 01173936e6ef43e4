// The costs that customers of models saw. They must equal the amounts charged.

export type CompletionCharges = { readonly costs: bigint[]; unobserved: number }

export type ObservedCharges = {
  /** Message id → cost. */
  readonly messages: Map<string, bigint>
  /** Run id → cost. */
  readonly runs: Map<string, bigint>
  readonly loops: Map<string, { readonly iterations: number; readonly minor: bigint }>
  /** Loop id → cost up to an iteration, as reported by its steps. */
  readonly steps: Map<string, { readonly turn: number; readonly minor: bigint }[]>
  /** Customer → costs of completions, and the number of lost answers that may have been charged. */
  readonly completions: Map<string, CompletionCharges>
  /** Prompts that were sent with a unique idempotency key. None may be charged twice. */
  readonly keyed: Set<string>
  /** Prompts that finally failed or were refused. None may be charged. */
  readonly free: Set<string>
  /** Inconsistencies within the observed answers. */
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

/** All counts in one line. */
export const summaryOf = ({ counts, messages, runs, loops }: ObservedCharges): string =>
  [
    ...EVENT_NAMES.map((name) => `${counts[name]} ${name}`),
    `observed ${messages.size} messages, ${runs.size} runs and ${loops.size} loops`,
  ].join(', ')

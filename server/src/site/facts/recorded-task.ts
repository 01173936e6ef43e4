// A task as it was recorded on 18 November 2026 with the development model: its stream, without ids. The front page plays it.
// The cost on the page is computed from the recorded tokens at the current price.

export type RecordedEvent = {
  /** Milliseconds after the start of the turn. */
  readonly afterMs: number
} & (
  | { readonly kind: 'cost'; readonly tokens: number; readonly costMinor: bigint }
  | { readonly kind: 'tool'; readonly tool: 'list' | 'read' | 'edit' | 'run'; readonly subject: string }
  | { readonly kind: 'change'; readonly path: string; readonly added: number; readonly removed: number }
  | {
      readonly kind: 'finished'
      readonly passed: number
      readonly failed: number
      readonly failedBefore: number
    }
)

export const RECORDED_TASK = {
  prompt: 'Fix the failing test.',
  lane: 'open',
  model: 'mock-open',
  /** The highest cost that the caller allowed, and the charge, both in kobo. */
  maxKobo: 2_000n,
  spentKobo: 844n,
  events: [
    { afterMs: 205, kind: 'cost', tokens: 1_387, costMinor: 125n },
    { afterMs: 205, kind: 'tool', tool: 'list', subject: '' },
    { afterMs: 364, kind: 'cost', tokens: 1_435, costMinor: 129n },
    { afterMs: 364, kind: 'tool', tool: 'read', subject: 'src/change.js' },
    { afterMs: 473, kind: 'cost', tokens: 1_487, costMinor: 134n },
    { afterMs: 473, kind: 'tool', tool: 'read', subject: 'test/change.test.js' },
    { afterMs: 574, kind: 'cost', tokens: 1_602, costMinor: 144n },
    { afterMs: 574, kind: 'tool', tool: 'edit', subject: 'src/change.js' },
    { afterMs: 648, kind: 'change', path: 'src/change.js', added: 1, removed: 1 },
    { afterMs: 774, kind: 'cost', tokens: 1_620, costMinor: 146n },
    { afterMs: 774, kind: 'tool', tool: 'run', subject: 'node --test' },
    { afterMs: 3_472, kind: 'cost', tokens: 1_845, costMinor: 166n },
    { afterMs: 12_806, kind: 'finished', passed: 1, failed: 0, failedBefore: 1 },
  ] satisfies readonly RecordedEvent[],
  diff: [
    { kind: 'same', text: 'export function change(paid, price) {' },
    { kind: 'removed', text: '  return paid + price' },
    { kind: 'added', text: '  return paid - price' },
    { kind: 'same', text: '}' },
  ],
} as const

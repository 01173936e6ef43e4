import { knownHunks, repositoryFiles } from '@cowrie/testkit/agent/known-hunks.ts'
import {
  type KnownHunk,
  outcomeOf,
  type Perturbation,
  perturbations,
} from '@cowrie/testkit/agent/perturbations.ts'
import { rounds } from '@cowrie/testkit/harness/soak.ts'
import { applyHunk } from '@cowrie/workspace/edits/apply-hunk.ts'
import { joinLines, splitLines } from '@cowrie/workspace/edits/match/text-lines.ts'
import { describe, expect, test } from 'vitest'
import { createSyntaxGate } from './apply/syntax-gate.ts'

const hunks = knownHunks(repositoryFiles(), 1_200, 20_261_115)
/** A mistake that affects few hunks is tried on all of them. */
const TALLIED_MAX = rounds(100, 300)

/** The least percentage that must be applied. The rest is refused, and almost none may be wrong. */
const OK_MIN: Readonly<Record<string, number>> = {
  none: 100,
  'trailing spaces': 100,
  'trailing spaces everywhere': 99,
  outdented: 90,
  'tabs for spaces': 88,
  'four spaces for two': 88,
  CRLF: 100,
  'curly quotes': 88,
  'blank lines dropped': 72,
  'comment lines dropped': 65,
  'blank edges': 100,
}
const WRONG_MAX = 0.5

describe('hunks with typical mistakes of models', () => {
  test.for(Object.entries(perturbations))(
    'with %s are applied correctly or rejected',
    async ([name, perturb], context) => {
      const counts = await tally(perturb)
      const percent = (count: number) => (100 * count) / counts.all
      await context.annotate(
        `${name}: ${counts.all} hunks, ok ${percent(counts.ok).toFixed(1)} %, wrong ${percent(counts.wrong).toFixed(1)} %`,
      )
      expect(counts.all).toBeGreaterThan(15)
      expect(percent(counts.wrong)).toBeLessThanOrEqual(WRONG_MAX)
      expect(percent(counts.ok)).toBeGreaterThanOrEqual(OK_MIN[name] ?? 100)
    },
  )

  test('keep text that replacement patterns would expand', () => {
    const lines = ['// $& $$ $1 $<name>', "// $` and $'"]
    for (const hunk of hunks.slice(0, 100)) {
      const spiced = { ...hunk, with: [...hunk.with, ...lines] }
      expect(applied(hunk.path, hunk.text, spiced)).toBe(outcomeOf(spiced))
    }
  })

  test('do not change the line ends of a file', () => {
    for (const hunk of hunks.slice(0, 100)) {
      const windows = hunk.text.replaceAll('\n', '\r\n')
      expect(applied(hunk.path, windows, hunk)).toBe(outcomeOf(hunk).replaceAll('\n', '\r\n'))
    }
  })
})

async function tally(perturb: Perturbation): Promise<{ all: number; ok: number; wrong: number }> {
  const counts = { all: 0, ok: 0, wrong: 0 }
  for (const hunk of hunks) {
    const careless = perturb(hunk)
    if (!careless) continue
    if (counts.all === TALLIED_MAX) break
    counts.all++
    const text = applied(hunk.path, hunk.text, careless)
    if (text === outcomeOf(hunk)) counts.ok++
    else if (text !== undefined && (await isLetThrough(hunk, text))) counts.wrong++
  }
  return counts
}

function applied(path: string, text: string, { find, with: after }: Pick<KnownHunk, 'find' | 'with'>) {
  const result = applyHunk(splitLines(text), { find: find.join('\n'), with: after.join('\n') }, path)
  return 'reason' in result ? undefined : joinLines(result.text)
}

/** Only what is not right is parsed, which keeps this fast: the gate can turn wrong into refused, never into right. */
async function isLetThrough({ path, text: base }: KnownHunk, text: string): Promise<boolean> {
  // With time enough, so that a busy machine leaves nothing unchecked.
  const { verdict } = await createSyntaxGate(2_000, 60_000)(path, base, text)
  return verdict !== 'worse'
}

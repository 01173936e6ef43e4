// Scores how difficult a task looks before any model is called. The score is deterministic.
import type { ContextFile } from '../prompt/context.ts'

export type Difficulty = {
  /** 0 to 100. */
  readonly score: number
  /** The parts of the score, to explain the choice of the lane. */
  readonly reasons: readonly string[]
}

const SCORE_MAX = 100

export function scoreDifficulty(prompt: string, files: readonly ContextFile[]): Difficulty {
  const found = [...scoreSizes(prompt, files), ...scoreSubjects(prompt)].filter(({ points }) => points > 0)
  const sum = found.reduce((total, { points }) => total + points, 0)
  return {
    score: Math.min(SCORE_MAX, sum),
    reasons: found.map(({ reason, points }) => `${reason} +${points}`),
  }
}

type ScorePart = { readonly reason: string; readonly points: number }

function scoreSizes(prompt: string, files: readonly ContextFile[]): ScorePart[] {
  const characters = files.reduce((sum, { content }) => sum + content.length, 0)
  const languages = new Set(files.map(({ path }) => languageOf(path)).filter((each) => each !== ''))
  return [
    { reason: 'length of the task', points: Math.min(20, Math.floor(prompt.length / 150)) },
    { reason: 'number of files', points: Math.min(15, Math.floor(files.length * 1.5)) },
    { reason: 'size of the files', points: Math.min(15, Math.floor(characters / 8_000)) },
    { reason: 'several languages', points: Math.min(10, Math.max(0, languages.size - 1) * 5) },
  ]
}

/** Topics that are hard at any size. Whole words only, so that "race" does not match "trace". */
const SUBJECTS: readonly (ScorePart & { readonly words: RegExp })[] = [
  {
    reason: 'concurrency',
    points: 15,
    words: /\b(concurren\w*|race conditions?|deadlocks?|mutex\w*|threads?|locking|atomic\w*|parallel\w*)\b/i,
  },
  { reason: 'migration', points: 12, words: /\b(migrat\w*|schema changes?|backfill\w*|upgrade)\b/i },
  {
    reason: 'security',
    points: 12,
    words:
      /\b(security|auth\w*|encrypt\w*|crypto\w*|permissions?|csrf|xss|injection|vulnerab\w*|sandbox\w*)\b/i,
  },
  {
    reason: 'money',
    points: 12,
    words:
      /\b(payments?|billing|invoices?|ledgers?|wallets?|balances?|refunds?|currenc\w*|money|payouts?)\b/i,
  },
  {
    reason: 'design',
    points: 12,
    words:
      /\b(refactor\w*|redesign\w*|architect\w*|rewrite|across the (whole )?(code ?base|project|repository))\b/i,
  },
  {
    reason: 'a failure to explain',
    points: 10,
    words:
      /(\b(fail(s|ing|ed)? tests?|tests? fail\w*|regressions?|flaky|memory leaks?|stack ?trace)\b|^[ \t]{1,40}at \S.{0,400}:\d+|Traceback \(most recent call last\))/im,
  },
]

// Only the beginning of a long text is scored.
const READ_CHARACTERS = 20_000

function scoreSubjects(prompt: string): ScorePart[] {
  const text = prompt.slice(0, READ_CHARACTERS)
  return SUBJECTS.filter(({ words }) => words.test(text)).map(({ reason, points }) => ({ reason, points }))
}

const languageOf = (path: string): string => /\.([a-z0-9]{1,8})$/i.exec(path)?.[1]?.toLowerCase() ?? ''

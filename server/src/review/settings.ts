// Settings of pull request reviews.
import {
  count,
  flag,
  megabytes,
  milliseconds,
  minorUnits,
  oneOf,
  settings,
} from '../platform/settings/setting.ts'

export const reviewSettings = settings(
  'review',
  { label: 'Review', blurb: 'Limits and costs of pull request reviews.' },
  {
    review_llm_enabled: {
      label: 'Review with models',
      description:
        'Off, reviews use the built-in rules only and cost nothing. On, model turns are charged to the organisation.',
      type: flag(),
      default: false,
    },
    review_lane_mode: {
      label: 'Model lanes',
      description:
        'Which turns of a review may use the frontier lane. An unknown stored value counts as open.',
      type: oneOf({
        open: { label: 'Open', note: 'Every turn on the open lane' },
        'verify-frontier': { label: 'Verify on frontier', note: 'Only the turns that confirm a finding' },
        frontier: { label: 'Frontier', note: 'Every turn, where the organisation’s policy allows' },
      }),
      default: 'open',
    },
    review_default_budget_minor: {
      label: 'Budget of a pull request',
      description:
        'What the model turns for one pull request may cost together within a day. A review that reaches it reports what it has.',
      type: minorUnits({ min: 0, max: 100_000_000 }),
      default: 20_000,
    },
    review_max_model_turns: {
      label: 'Model turns of a review',
      description: 'A review that reaches this reports what it has.',
      type: count({ min: 1, max: 100 }),
      default: 12,
    },
    review_wall_clock_ms: {
      label: 'Longest review',
      description: 'A review that reaches this stops and reports what it has.',
      type: milliseconds({ min: 10_000, max: 3_600_000 }),
      default: 300_000,
    },
    review_validation_max_mb: {
      label: 'Largest checkout to validate',
      description:
        'Pull requests whose checkout is larger are reviewed without running their tests. Mind the disk of the sandbox host.',
      type: megabytes({ min: 1, max: 2_000 }),
      default: 100,
    },
    review_corpus_enabled: {
      label: 'Learn from verdicts',
      description:
        'Whether confirmed and refuted findings of an organisation sharpen its later reviews. It never crosses organisations.',
      type: flag(),
      default: true,
    },
    review_corpus_max_entries: {
      label: 'Remembered verdicts',
      description: 'Per organisation; the oldest make room. Zero remembers none.',
      type: count({ min: 0, max: 100_000 }),
      default: 500,
    },
    review_corpus_promote_threshold: {
      label: 'Verdicts before they count',
      description:
        'How many verdicts of the same kind a pattern needs before it changes what is reported. Low learns fast and errs fast.',
      type: count({ min: 1, max: 100 }),
      default: 3,
    },
  },
)

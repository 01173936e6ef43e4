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
        'When off, reviews use only the built-in rules and cost nothing. When on, model turns are charged to the organisation.',
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
        'The most that model turns for one pull request may cost in a day. A review that reaches it reports its results so far. In kobo; the rate card converts it to other currencies.',
      type: minorUnits({ min: 0, max: 100_000_000 }),
      default: 20_000,
    },
    review_max_model_turns: {
      label: 'Model turns of a review',
      description: 'A review that reaches this limit reports its results so far.',
      type: count({ min: 1, max: 100 }),
      default: 12,
    },
    review_wall_clock_ms: {
      label: 'Longest review',
      description: 'A review that reaches this limit stops and reports its results so far.',
      type: milliseconds({ min: 10_000, max: 3_600_000 }),
      default: 300_000,
    },
    review_validation_max_mb: {
      label: 'Largest checkout to validate',
      description:
        'Pull requests whose checkout is larger are reviewed without running their tests. A large value needs more disk on the sandbox host.',
      type: megabytes({ min: 1, max: 2_000 }),
      default: 100,
    },
    review_corpus_enabled: {
      label: 'Learn from verdicts',
      description:
        'Whether verdicts of an organisation influence its later reviews. Verdicts are never shared between organisations.',
      type: flag(),
      default: true,
    },
    review_corpus_max_entries: {
      label: 'Remembered verdicts',
      description:
        'The limit per organisation. Entries with the fewest verdicts are removed first. Zero disables it.',
      type: count({ min: 0, max: 100_000 }),
      default: 500,
    },
    review_corpus_promote_threshold: {
      label: 'Verdicts before they count',
      description:
        'How many equal verdicts a pattern needs before they change later reviews. A low value adapts faster but makes more mistakes.',
      type: count({ min: 1, max: 100 }),
      default: 3,
    },
  },
)

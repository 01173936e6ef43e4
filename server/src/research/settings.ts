// Operator settings of research.
import { count, flag, milliseconds, minorUnits, oneOf, settings } from '../platform/settings/setting.ts'

export const researchSettings = settings(
  'research',
  { label: 'Research', blurb: 'Duration, breadth and budget of research runs.' },
  {
    research_enabled: {
      label: 'Research',
      description: 'Whether new runs can start. Running ones finish when this is off.',
      type: flag(),
      default: true,
    },
    research_lane_mode: {
      label: 'Model lanes',
      description: 'Which turns may use the frontier lane. An unknown stored value counts as open.',
      type: oneOf({
        open: { label: 'Open', note: 'Every turn on the open lane' },
        'synthesis-frontier': { label: 'Synthesis on frontier', note: 'Only the final report' },
        frontier: { label: 'Frontier', note: 'Every turn, where the organisation’s policy allows' },
      }),
      default: 'open',
    },
    research_wall_clock_ms: {
      label: 'Longest run',
      description: 'A run that reaches this stops reading and writes its report from what it has.',
      type: milliseconds({ min: 10_000, max: 7_200_000 }),
      default: 600_000,
    },
    research_search_concurrency: {
      label: 'Searches at once',
      description:
        'Per run. Search providers limit the request rate; a higher value only causes more errors.',
      type: count({ min: 1, max: 32 }),
      default: 4,
    },
    research_extract_batch: {
      label: 'Pages per extraction',
      description: 'Pages that one model turn reads for findings. More is cheaper and less thorough.',
      type: count({ min: 1, max: 32 }),
      default: 4,
    },
    research_extract_mode: {
      label: 'How findings are made',
      description: 'Whether a model reads the pages, or matching sentences are quoted verbatim.',
      type: oneOf({
        model: { label: 'By a model', note: 'Better findings; its turns are charged' },
        quote: { label: 'By quotation', note: 'Free, but finds only matching words' },
      }),
      default: 'model',
    },
    research_fetch_pool: {
      label: 'Pages read at once',
      description: 'Per run. More is faster, and puts more load on sites.',
      type: count({ min: 1, max: 64 }),
      default: 6,
    },
    research_max_passes: {
      label: 'Passes of a run',
      description: 'The most search passes of a run before it writes its report.',
      type: count({ min: 1, max: 10 }),
      default: 3,
    },
    research_search_timeout_ms: {
      label: 'Longest search',
      description: 'A search that takes longer fails, and is retried within the limit.',
      type: milliseconds({ min: 500, max: 120_000 }),
      default: 10_000,
    },
    research_search_deadline_ms: {
      label: 'All searches of a pass',
      description: 'If all searches of a pass take longer, it continues with the results it has.',
      type: milliseconds({ min: 1_000, max: 600_000 }),
      default: 60_000,
    },
    research_search_retries: {
      label: 'Retries of a search',
      description: 'Retries of a failed search. With zero it is not retried.',
      type: count({ min: 0, max: 10 }),
      default: 2,
    },
    research_default_budget_minor: {
      label: 'Budget of a run',
      description:
        'The default and maximum budget of a run. Customers can set a lower one. In minor units of their currency.',
      type: minorUnits({ min: 0, max: 1_000_000_000 }),
      default: 200_000,
    },
  },
)

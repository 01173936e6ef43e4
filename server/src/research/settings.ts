// What an operator can tune about research.
import { count, flag, milliseconds, minorUnits, oneOf, settings } from '../platform/settings/setting.ts'

export const researchSettings = settings(
  'research',
  { label: 'Research', blurb: 'How long, how wide and for how much a research run may go.' },
  {
    research_enabled: {
      label: 'Research',
      description: 'Whether new runs may be started. Off, runs that already run are finished.',
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
        'Per run. Search providers limit how fast they may be asked; more than they allow only fails more.',
      type: count({ min: 1, max: 32 }),
      default: 4,
    },
    research_extract_batch: {
      label: 'Pages per extraction',
      description: 'How many pages one model turn reads for findings. More is cheaper and less careful.',
      type: count({ min: 1, max: 32 }),
      default: 4,
    },
    research_extract_mode: {
      label: 'How findings are made',
      description: 'Whether a model reads the pages or matching sentences are quoted as they stand.',
      type: oneOf({
        model: { label: 'By a model', note: 'Better findings; its turns are charged' },
        quote: { label: 'By quotation', note: 'Costs nothing, understands nothing' },
      }),
      default: 'model',
    },
    research_fetch_pool: {
      label: 'Pages read at once',
      description: 'Per run. More is faster and ruder.',
      type: count({ min: 1, max: 64 }),
      default: 6,
    },
    research_max_passes: {
      label: 'Passes of a run',
      description: 'How often a run may search again for what it still misses before it writes.',
      type: count({ min: 1, max: 10 }),
      default: 3,
    },
    research_search_timeout_ms: {
      label: 'Longest search',
      description: 'A search that takes longer counts as failed and is tried again within the retries.',
      type: milliseconds({ min: 500, max: 120_000 }),
      default: 10_000,
    },
    research_search_deadline_ms: {
      label: 'All searches of a pass',
      description: 'When they take longer together, the pass goes on with the results it has.',
      type: milliseconds({ min: 1_000, max: 600_000 }),
      default: 60_000,
    },
    research_search_retries: {
      label: 'Retries of a search',
      description: 'How often a failed search is tried again. Zero gives up at the first failure.',
      type: count({ min: 0, max: 10 }),
      default: 2,
    },
    research_default_budget_minor: {
      label: 'Budget of a run',
      description:
        'What a run may spend unless the customer asks for less; it is also the most they can ask for. In minor units of their currency.',
      type: minorUnits({ min: 0, max: 1_000_000_000 }),
      default: 200_000,
    },
  },
)

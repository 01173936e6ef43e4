import { expect, test } from 'vitest'
import { isAboutMoney } from './settings-money.ts'

const asks = (key: string, group: string, unit?: 'minor' | 'ms' | 'mb' | 'pct' | 'count'): boolean =>
  isAboutMoney({ key, group, unit })

test('a price, a share, a budget, a grant and a lane are about money', () => {
  expect(asks('price_open_kobo_per_1m', 'pricing', 'minor')).toBe(true)
  expect(asks('rate_card_version', 'pricing')).toBe(true)
  expect(asks('research_default_budget_minor', 'research', 'minor')).toBe(true)
  expect(asks('inference_escalate_threshold_pct', 'inference', 'pct')).toBe(true)
  expect(asks('collections_take_rate_bps', 'collections', 'count')).toBe(true)
  expect(asks('signup_grant', 'platform', 'count')).toBe(true)
  expect(asks('direct_lane_mode', 'inference')).toBe(true)
  expect(asks('review_llm_enabled', 'review')).toBe(true)
})

test('our costs and all other settings are not', () => {
  expect(asks('cogs_open_kobo_per_1m', 'pricing', 'minor')).toBe(false)
  expect(asks('build_image_cogs_minor', 'build', 'minor')).toBe(false)
  expect(asks('default_skin', 'appearance')).toBe(false)
  expect(asks('runs_lease_seconds', 'platform', 'count')).toBe(false)
  expect(asks('research_wall_clock_ms', 'research', 'ms')).toBe(false)
  expect(asks('upstream_api_key', 'inference')).toBe(false)
  // Only whole words count: this is not a fee.
  expect(asks('feed_size', 'platform', 'count')).toBe(false)
})

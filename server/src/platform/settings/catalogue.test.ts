import { expect, test } from 'vitest'
import { metering } from '../../metering/module.ts'
import { models } from '../../models/module.ts'
import { research } from '../../research/module.ts'
import { review } from '../../review/module.ts'
import { wallet } from '../../wallet/module.ts'
import { collectGroups, createCatalogue } from './catalogue.ts'
import { printSettings } from './print-settings.ts'
import { flag, settings, variableOf } from './setting.ts'

const groups = collectGroups([wallet, models, metering, review, research])
const catalogue = createCatalogue(groups)

// The contract, one row per setting. † restricted, ‡ secret; a range is min–max, a list its options.
const CONTRACT = `
signups_enabled | b | true | | | platform
maintenance_mode † | b | false | | | platform
runs_worker_enabled | b | true | | | platform
runs_lease_seconds | n | 60 | 10–3600 | count | platform
runs_reap_grace_seconds | n | 30 | 0–3600 | count | platform
idempotency_stale_minutes | n | 15 | 1–1440 | count | platform
default_skin | e | indigo | indigo, kente, savanna, mono | | appearance
default_mode | e | system | system, light, dark | | appearance
default_layout | e | comfortable | comfortable, compact | | appearance
price_open_kobo_per_1m † | n | 90000 | 0–1000000000 | minor | pricing
price_frontier_kobo_per_1m † | n | 1500000 | 0–1000000000 | minor | pricing
rate_card_version † | e | 2026-11 | 2026-11 | | pricing
frontier_target_pct | n | 10 | 0–100 | pct | pricing
default_low_balance_threshold_minor | n | 50000 | 0–100000000000 | minor | pricing
cogs_open_kobo_per_1m † | n | 45000 | 0–1000000000 | minor | pricing
cogs_frontier_kobo_per_1m † | n | 1100000 | 0–1000000000 | minor | pricing
collections_mode † | e | off | off, test, live | | collections
collections_take_rate_bps † | n | 150 | 0–5000 | count | collections
build_default_view | e | preview | preview, code, split | | build
build_image_price_minor | n | 5000 | 0–100000000 | minor | build
build_image_cogs_minor | n | 2500 | 0–100000000 | minor | build
build_preview_ttl_hours | n | 72 | 1–720 | count | build
build_no_progress_rounds | n | 3 | 1–20 | count | build
build_turn_ceiling_multiple | n | 3 | 1–20 | count | build
build_reload_activity_window_ms | n | 30000 | 1000–600000 | ms | build
app_builds_per_day | n | 20 | 0–10000 | count | apps
app_auth_emails_per_day | n | 200 | 0–100000 | count | apps
app_records_per_app | n | 10000 | 0–10000000 | count | apps
upstream_base_url † | s | | | | inference
upstream_api_key †‡ | s | | | | inference
upstream_open_model | s | | | | inference
upstream_frontier_model | s | | | | inference
upstream_open_noprc_model | s | | | | inference
inference_escalate_threshold_pct | n | 60 | 0–100 | pct | inference
direct_lane_mode | e | open | open, frontier | | inference
image_model_provider | e | none | none, openai, compatible | | image
image_model_base_url † | s | | | | image
image_model_api_key †‡ | s | | | | image
image_model | s | | | | image
kyc_required | b | false | | | compliance
recording_retention_max_days | n | 90 | 0–3650 | count | compliance
review_llm_enabled | b | false | | | review
review_lane_mode | e | open | open, verify-frontier, frontier | | review
review_default_budget_minor | n | 20000 | 0–100000000 | minor | review
review_max_model_turns | n | 12 | 1–100 | count | review
review_wall_clock_ms | n | 300000 | 10000–3600000 | ms | review
review_validation_max_mb | n | 100 | 1–2000 | mb | review
review_corpus_enabled | b | true | | | review
review_corpus_max_entries | n | 500 | 0–100000 | count | review
review_corpus_promote_threshold | n | 3 | 1–100 | count | review
research_enabled | b | true | | | research
research_lane_mode | e | open | open, synthesis-frontier, frontier | | research
research_wall_clock_ms | n | 600000 | 10000–7200000 | ms | research
research_search_concurrency | n | 4 | 1–32 | count | research
research_extract_batch | n | 4 | 1–32 | count | research
research_extract_mode | e | model | model, quote | | research
research_fetch_pool | n | 6 | 1–64 | count | research
research_max_passes | n | 3 | 1–10 | count | research
research_search_timeout_ms | n | 10000 | 500–120000 | ms | research
research_search_deadline_ms | n | 60000 | 1000–600000 | ms | research
research_search_retries | n | 2 | 0–10 | count | research
research_default_budget_minor | n | 200000 | 0–1000000000 | minor | research
vapt_enabled | b | false | | | vapt
vapt_lane_mode | e | open | open, verify-frontier, frontier | | vapt
vapt_default_budget_minor | n | 50000 | 0–100000000 | minor | vapt
vapt_max_archive_mb | n | 50 | 1–2000 | mb | vapt
agent_sessions_enabled | b | false | | | agent
agent_session_max_turns | n | 50 | 1–1000 | count | agent
events_take_rate_bps | n | 300 | 0–5000 | count | events
tickets_member_wallet_pay | b | false | | | events
events_ticket_hold_minutes | n | 15 | 1–1440 | count | events
`

const contract = CONTRACT.trim().split('\n').sort()

// Settings beside the contract, in the same format.
const ADDED = [
  'usage_log_days | n | 90 | 1–400 | count | compliance',
  'trial_credit_minor † | n | 0 | 0–100000000 | minor | trial',
  'trial_credit_days † | n | 14 | 1–365 | count | trial',
  'trial_credits_per_day † | n | 500 | 0–1000000 | count | trial',
  'trial_credits_per_domain † | n | 20 | 0–100000 | count | trial',
  'trial_credits_per_network † | n | 20 | 0–100000 | count | trial',
  'trial_refused_domains † | s | | | | trial',
]

test('the catalogue matches the contract', () => {
  const declared = catalogue.settings.map(({ key, type, group, restricted, default: value }) => {
    const marks = `${restricted ? '†' : ''}${type.secret ? '‡' : ''}`
    const range =
      type.kind === 'number'
        ? `${type.min}–${type.max}`
        : (type.options ?? []).map((option) => option.value).join(', ')
    const cells = [`${key} ${marks}`.trim(), type.kind[0], String(value), range, type.unit ?? '', group]
    return cells
      .map((cell) => ` ${cell} `.replace('  ', ' '))
      .join('|')
      .trim()
  })
  expect(contract).toHaveLength(71)
  expect(declared.sort()).toEqual([...contract, ...ADDED].sort())
})

test('every default has the type of the contract', () => {
  for (const { key, type, default: value } of catalogue.settings)
    expect(typeof value, key).toBe(type.kind === 'enum' ? 'string' : type.kind)
})

test('every setting and group has a description, and unused settings state that nothing reads them', () => {
  const unread = new Set(['collections', 'build', 'apps', 'image', 'vapt', 'agent', 'events'])
  for (const { key, label, description, group, type } of catalogue.settings) {
    expect(label, key).toMatch(/^[A-Z].{3,}[^.]$/)
    expect(description, key).toMatch(/^[A-Z].{20,}\.$/)
    const reserved = unread.has(group) || key === 'recording_retention_max_days'
    expect(description.includes('Nothing reads this setting yet.'), key).toBe(reserved)
    for (const option of type.options ?? [])
      expect(option.label && option.note, `${key} ${option.value}`).toBeTruthy()
  }
  for (const { id, label, blurb } of catalogue.groups) expect(label && blurb.endsWith('.'), id).toBe(true)
})

test('every setting has a unique variable', () => {
  const variables = catalogue.settings.map(variableOf)
  expect(new Set(variables).size).toBe(71 + ADDED.length)
  expect(variables).toContain('SERVICE_UPSTREAM_API_KEY')
})

test('platform groups come first and future features last, without duplicates', () => {
  const system = { name: 'system', settings: collectGroups([]) }
  const once = collectGroups([system, metering, models, review, research])
  expect(createCatalogue(once).groups.map(({ id }) => id)).toEqual(
    'platform appearance compliance pricing inference review research collections build apps image vapt agent events'.split(
      ' ',
    ),
  )
})

test('a duplicate key and a group with two headings are bugs', () => {
  const part = (key: string, label = 'Label') =>
    settings(
      'group',
      { label, blurb: 'Blurb.' },
      { [key]: { label: 'L', description: 'D', type: flag(), default: true } },
    )
  expect(() => createCatalogue([part('a_key'), part('a_key')])).toThrow('a_key is declared once')
  expect(() => createCatalogue([part('a_key'), part('b_key', 'Other')])).toThrow('group has one heading')
})

test('the printed page has a table per group and a row per setting', () => {
  const page = printSettings(groups)
  expect(page.match(/^## /gm)).toHaveLength(15)
  expect(page.match(/^\| `[a-z_0-9]+`/gm)).toHaveLength(71 + ADDED.length)
  expect(page).toContain('| `upstream_api_key` †‡<br>`SERVICE_UPSTREAM_API_KEY` | empty |')
  expect(page).toContain('| `runs_lease_seconds`<br>`SERVICE_RUNS_LEASE_SECONDS` | `60` | 10 to 3600 |')
})

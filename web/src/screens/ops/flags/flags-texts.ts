// Texts for flags: on, off or inherited.
import type { Flag } from '@cowrie/sdk'
import { msg, t } from '../../../i18n/t.ts'
import type { Option } from '../../../ui/input/select.tsx'

export type { Flag }
export const ORG_TIERS = ['individual', 'team', 'enterprise'] as const
export type OrgTier = (typeof ORG_TIERS)[number]

export const ORG_TIER_TEXTS: Readonly<Record<OrgTier, string>> = {
  individual: msg('Individual'),
  team: msg('Team'),
  enterprise: msg('Enterprise'),
}
export const SOURCE_TEXTS: Readonly<Record<'org' | 'tier' | 'default', string>> = {
  org: msg('set for this organisation'),
  tier: msg('set for its tier'),
  default: msg('the default'),
}

export const onOff = (enabled: boolean): string => (enabled ? t('On') : t('Off'))

/** The options of a select whose first one inherits. */
export const overrideOptions = (): Option[] => [
  ['', t('Use default')],
  ['on', t('On')],
  ['off', t('Off')],
]
export const overrideOf = (decided: boolean | undefined): string =>
  decided === undefined ? '' : decided ? 'on' : 'off'
export const sourceText = (way: string): boolean | undefined => (way === '' ? undefined : way === 'on')

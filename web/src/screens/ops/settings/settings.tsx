// The platform settings: values, ranges and sources.

import type { AdminSettingsListReply } from '@cowrie/sdk'
import { type Signal, useSignal } from '@preact/signals'
import { type Resource, useResource } from '../../../data/resource.ts'
import { formatDateTime } from '../../../i18n/format.ts'
import { t, tn } from '../../../i18n/t.ts'
import { appLocation } from '../../../router/location.ts'
import { announce } from '../../../ui/base/announcer.tsx'
import { ErrorNotice } from '../../../ui/base/error-notice.tsx'
import { Page, Section } from '../../../ui/base/sheet.tsx'
import { Checkbox } from '../../../ui/input/checkbox.tsx'
import { DialogButton } from '../../../ui/input/dialog-button.tsx'
import { Select } from '../../../ui/input/select.tsx'
import { api } from '../shared/staff-api.ts'
import { disabledReasonFor } from '../shared/tiers.ts'
import { matches, type Setting } from './setting-values.ts'
import { Badge, SettingRow } from './settings-row.tsx'

type Listing = AdminSettingsListReply
const ALL = ''

export default function OpsSettings() {
  const listing = useResource('ops.settings', () => api.admin.settings.list())
  const current = listing.current.value
  return (
    <Page title={t('Settings')}>
      <p class="help">{t('Changes apply on all replicas within seconds.')}</p>
      {current.state === 'failed' && <ErrorNotice failure={current.failure} retry={listing.load} />}
      {current.state === 'loading' && <Placeholder />}
      {current.state === 'ready' && <Loaded listing={current.value} from={listing} />}
    </Page>
  )
}

const Placeholder = () => (
  <div class="settings-place" aria-busy="true">
    <span class="blank control" />
    <span class="blank row" />
    <span class="blank row" />
    <span class="blank row" />
  </div>
)

function Loaded({ listing, from }: { listing: Listing; from: Resource<Listing> }) {
  const words = useSignal(appLocation.peek().query.get('q') ?? '')
  const group = useSignal(ALL)
  const onlyChanged = useSignal(false)
  const shown = listing.settings.filter(
    (setting) =>
      (group.value === ALL || setting.group === group.value) &&
      (!onlyChanged.value || !setting.isDefault) &&
      matches(setting, words.value),
  )
  return (
    <>
      <Filters listing={listing} words={words} group={group} onlyChanged={onlyChanged} />
      <p class="help" role="status">
        {tn(shown.length, '{n} setting shown.', '{n} settings shown.')}
      </p>
      {listing.groups.map(({ id, label, blurb }) => {
        const inGroup = shown.filter((setting) => setting.group === id)
        return (
          inGroup.length > 0 && (
            <Section key={id} title={label}>
              <p class="help">{blurb}</p>
              <Rows settings={inGroup} reload={from.load} />
            </Section>
          )
        )
      })}
      {shown.length === 0 && (
        <p>
          {t('No matching settings.')}{' '}
          <button
            type="button"
            class="plain"
            onClick={() => {
              words.value = ''
              group.value = ALL
              onlyChanged.value = false
            }}
          >
            {t('Show all')}
          </button>
        </p>
      )}
      <Orphans listing={listing} reload={from.load} />
    </>
  )
}

const Rows = ({ settings, reload }: { settings: readonly Setting[]; reload: () => Promise<void> }) => (
  <div class="settings">
    {settings.map((setting) => (
      <SettingRow key={setting.key} setting={setting} reload={reload} />
    ))}
  </div>
)

type Filter = {
  listing: Listing
  words: Signal<string>
  group: Signal<string>
  onlyChanged: Signal<boolean>
}

const Filters = ({ listing, words, group, onlyChanged }: Filter) => (
  <div class="filters">
    <div class="field">
      <label for="find-setting">{t('Find a setting')}</label>
      <input
        id="find-setting"
        type="search"
        data-search
        dir="auto"
        autocomplete="off"
        maxLength={100}
        value={words.value}
        onInput={(event) => {
          words.value = event.currentTarget.value
        }}
      />
    </div>
    <Select
      name="setting-group"
      label={t('Group')}
      value={group.value}
      options={[[ALL, t('All groups')], ...listing.groups.map(({ id, label }) => [id, label] as const)]}
      onChoose={(chosen) => {
        group.value = chosen
      }}
    />
    <Checkbox on={onlyChanged}>{t('Changed only')}</Checkbox>
  </div>
)

/** Stored settings that this build does not know. They have no effect. */
function Orphans({ listing: { orphans }, reload }: { listing: Listing; reload: () => Promise<void> }) {
  if (orphans.length === 0) return null
  return (
    <Section title={t('Unknown settings')}>
      <p class="help">{t('Stored settings that this version does not know. They have no effect.')}</p>
      <ul class="rows">
        {orphans.map(({ key, value, source, updatedAt, updatedByEmail }) => (
          <li key={key} class="row">
            <div>
              <p class="row-name">
                <code dir="ltr">{key}</code> <Badge source={source} />
              </p>
              <p class="help">
                <bdi>{typeof value === 'string' ? value : JSON.stringify(value)}</bdi> ·{' '}
                {formatDateTime(updatedAt)}
                {updatedByEmail !== null && ` · ${updatedByEmail}`}
              </p>
            </div>
            <DialogButton
              label={t('Clear')}
              name={key}
              question={t('Clear {key}?', { key })}
              disabledReason={disabledReasonFor('settings')}
              look="grave"
              act={async () => {
                await api.admin.settings.reset(key)
                await reload()
                announce(t('Cleared.'))
              }}
            >
              <p>{t('The stored value is deleted. Nothing reads it.')}</p>
            </DialogButton>
          </li>
        ))}
      </ul>
    </Section>
  )
}

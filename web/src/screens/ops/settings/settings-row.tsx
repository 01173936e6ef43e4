// One setting in the list: value and source, and the editor on request.
import { useSignal } from '@preact/signals'
import { useResource } from '../../../data/resource.ts'
import { formatDateTime } from '../../../i18n/format.ts'
import { msg, t } from '../../../i18n/t.ts'
import { Trans } from '../../../i18n/trans.tsx'
import { announce } from '../../../ui/base/announcer.tsx'
import { ErrorNotice } from '../../../ui/base/error-notice.tsx'
import { Icon } from '../../../ui/base/icon.tsx'
import { DialogButton } from '../../../ui/input/dialog-button.tsx'
import { RequiredTier } from '../shared/required-tier.tsx'
import { api } from '../shared/staff-api.ts'
import { disabledReasonFor, isAllowed } from '../shared/tiers.ts'
import { type Setting, type Value, valueText } from './setting-values.ts'
import { SettingChange } from './settings-change.tsx'
import { Editor } from './settings-editor.tsx'
import { isAboutMoney } from './settings-money.ts'
import { ValueTrack } from './settings-track.tsx'

const SOURCES: Readonly<Record<Setting['source'], readonly [words: string, look: string]>> = {
  operator: [msg('operator'), 'chip ok'],
  env: [msg('environment'), 'chip warn'],
  default: [msg('default'), 'chip'],
}

type Props = { setting: Setting; reload: () => Promise<void> }

export function SettingRow({ setting, reload }: Props) {
  const isOpen = useSignal(false)
  const { key, label, value, superAdminOnly } = setting
  return (
    <details
      class="setting"
      onToggle={(event) => {
        isOpen.value = event.currentTarget.open
      }}
    >
      <summary>
        <span class="setting-name">
          <span class="row-name" dir="auto">
            {label}
          </span>
          <code dir="ltr">{key}</code>
        </span>
        <span class="setting-state">
          <bdi class="setting-value" data-testid={`value-of-${key}`}>
            {valueText(setting, value)}
          </bdi>
          <Badge source={setting.source} />
          {superAdminOnly && (
            <span class="chip">
              <Icon name="lock" /> {t('super admin only')}
            </span>
          )}
        </span>
      </summary>
      {isOpen.value && <SettingDetails setting={setting} reload={reload} />}
    </details>
  )
}

export function Badge({ source }: { source: Setting['source'] }) {
  const [words, look] = SOURCES[source]
  return <span class={look}>{t(words)}</span>
}

function SettingDetails({ setting, reload }: Props) {
  const { key, description, env, type, isDefault, superAdminOnly, updatedAt, updatedByEmail } = setting
  const action = superAdminOnly ? 'restrictedSettings' : 'settings'
  const notice = useSignal<string | null>(null)
  async function changed(words: string) {
    await reload()
    notice.value = words
    announce(words)
  }
  return (
    <div class="setting-body">
      <p dir="auto">{description}</p>
      {type === 'number' && <ValueTrack setting={setting} />}
      <p class="help">
        <Trans text="Initial value from {env}." env={<code dir="ltr">{env}</code>} />{' '}
        {updatedAt !== null &&
          (updatedByEmail === null
            ? t('Set {time}.', { time: formatDateTime(updatedAt) })
            : t('Set {time} by {who}.', { time: formatDateTime(updatedAt), who: updatedByEmail }))}
      </p>
      <RequiredTier action={action} />
      <Editor
        // Reset the form when another value was stored meanwhile.
        key={`${updatedAt} ${String(setting.value)}`}
        setting={setting}
        disabled={!isAllowed(action)}
        saved={(cleared) =>
          changed(
            cleared.length === 0
              ? t('Saved and applied.')
              : t('Saved. Also cleared, because the host was removed: {keys}.', {
                  keys: cleared.join(', '),
                }),
          )
        }
      />
      {notice.value && <p class="ok">{notice.value}</p>}
      {!isDefault && (
        <p>
          <DialogButton
            label={t('Reset to default')}
            name={key}
            question={t('Reset {key}?', { key })}
            disabledReason={disabledReasonFor(action)}
            look="grave"
            act={async () => {
              await api.admin.settings.reset(key)
              await changed(t('Reset to its default.'))
            }}
          >
            {isAboutMoney(setting) && setting.value !== setting.default && (
              <SettingChange setting={setting} to={setting.default} />
            )}
            <p>
              {setting.secret
                ? t('The stored secret is deleted. This cannot be undone.')
                : t('It returns to {usual}. An environment variable may set it at the next start.', {
                    usual: valueText(setting, setting.default),
                  })}
            </p>
          </DialogButton>
        </p>
      )}
      <LastChanges setting={setting} />
    </div>
  )
}

const ENTRIES_SEARCHED = 100
const SHOWN = 3

function LastChanges({ setting }: { setting: Setting }) {
  const { key, updatedAt } = setting
  const log = useResource(`ops.setting ${key} ${updatedAt}`, () =>
    api.audit.list({ scope: 'all', action: 'settings', limit: ENTRIES_SEARCHED }),
  )
  const current = log.current.value
  if (current.state === 'failed') return <ErrorNotice failure={current.failure} retry={log.load} />
  if (current.state === 'loading') return <span class="blank line" aria-busy="true" />
  const entries = current.value.entries.filter(({ target }) => target === key).slice(0, SHOWN)
  return (
    <div class="last-changes">
      <h3>{t('Last changes')}</h3>
      {entries.length === 0 ? (
        <p class="help">
          {t('None among the last {n} changes of settings.', { n: String(ENTRIES_SEARCHED) })}
        </p>
      ) : (
        <ul>
          {entries.map(({ id, metadata, actorEmail, createdAt }) => (
            <li key={id}>
              <Change setting={setting} metadata={metadata} />{' '}
              <span class="help">
                {formatDateTime(createdAt)} · <bdi>{actorEmail ?? t('the service')}</bdi>
              </span>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}

function Change({ setting, metadata }: { setting: Setting; metadata: Record<string, unknown> }) {
  if (!isValue(metadata.from) || !isValue(metadata.to)) return <span>{t('changed, not shown')}</span>
  return (
    <bdi dir="ltr">
      <bdi>{valueText(setting, metadata.from)}</bdi> → <bdi>{valueText(setting, metadata.to)}</bdi>
    </bdi>
  )
}

const isValue = (value: unknown): value is Value => ['boolean', 'number', 'string'].includes(typeof value)

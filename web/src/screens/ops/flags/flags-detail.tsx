// One flag: default, tiers, and overrides for single organisations.
import { useComputed, useSignal } from '@preact/signals'
import { problem } from '../../../data/failure.ts'
import { usePages } from '../../../data/paged-resource.ts'
import { useAction } from '../../../data/use-action.ts'
import { formatDateTime } from '../../../i18n/format.ts'
import { t } from '../../../i18n/t.ts'
import { navigate } from '../../../router/location.ts'
import { announce } from '../../../ui/base/announcer.tsx'
import { PagedList } from '../../../ui/base/paged-list.tsx'
import { Section } from '../../../ui/base/sheet.tsx'
import { Field } from '../../../ui/form/field.tsx'
import { Form, textOf } from '../../../ui/form/form.tsx'
import { DialogButton } from '../../../ui/input/dialog-button.tsx'
import { Select } from '../../../ui/input/select.tsx'
import { type PickedOrg, PickOrg } from '../shared/pick-org.tsx'
import { RequiredTier } from '../shared/required-tier.tsx'
import { api } from '../shared/staff-api.ts'
import { disabledReasonFor, isAllowed } from '../shared/tiers.ts'
import {
  type Flag,
  ORG_TIER_TEXTS,
  ORG_TIERS,
  onOff,
  overrideOf,
  overrideOptions,
  sourceText,
} from './flags-texts.ts'

type Props = { flag: Flag; reload: () => Promise<void> }

export function FlagDetail({ flag, reload }: Props) {
  return (
    <Section title={t('Flag {key}', { key: flag.key })}>
      <p class="help">{t('Last changed {time}.', { time: formatDateTime(flag.updatedAt) })}</p>
      <RequiredTier action="flags" />
      <Decide key={flag.updatedAt} flag={flag} reload={reload} />
      <div class="choices">
        <DialogButton
          label={t('Delete flag')}
          name={flag.key}
          question={t('Delete {key}?', { key: flag.key })}
          disabledReason={disabledReasonFor('flags')}
          look="grave"
          act={async () => {
            await api.admin.flags.remove(flag.key)
            await reload()
            announce(t('The flag is deleted.'))
            navigate('/app/ops/flags', { replace: true })
          }}
        >
          <p>{t('The flag and its settings are deleted. It is off for everyone immediately.')}</p>
        </DialogButton>
      </div>
      <Overrides flag={flag} reload={reload} />
    </Section>
  )
}

function Decide({ flag, reload }: Props) {
  const save = useAction(async (form: FormData) => {
    const decided = ORG_TIERS.map((tier) => [tier, sourceText(textOf(form, `tier-${tier}`))] as const)
    await api.admin.flags.set(flag.key, {
      description: textOf(form, 'flag-description').trim(),
      defaultEnabled: textOf(form, 'flag-default') === 'on',
      tierOverrides: Object.fromEntries(decided.filter(([, enabled]) => enabled !== undefined)),
    })
    announce(t('The flag is saved.'))
    await reload()
  })
  return (
    <fieldset disabled={!isAllowed('flags')}>
      <legend class="unseen">{t('Flag values')}</legend>
      <Form action={save} submit={t('Save flag')} busy={t('Saving …')}>
        <Field
          name="flag-description"
          label={t('Description')}
          value={flag.description}
          dir="auto"
          maxLength={500}
        />
        <Select
          name="flag-default"
          label={t('Default')}
          value={overrideOf(flag.defaultEnabled)}
          options={overrideOptions().slice(1)}
        />
        {ORG_TIERS.map((tier) => (
          <Select
            key={tier}
            name={`tier-${tier}`}
            label={t(ORG_TIER_TEXTS[tier])}
            value={overrideOf(flag.tierOverrides[tier])}
            options={overrideOptions()}
          />
        ))}
      </Form>
    </fieldset>
  )
}

function Overrides({ flag, reload }: Props) {
  const pages = usePages('overrides', `ops.flag ${flag.key}`, (cursor) =>
    api.admin.flags.orgs(flag.key, { limit: 50, ...cursor }),
  )
  const current = useComputed(() => {
    const { value } = pages.current
    if (value.state !== 'ready') return value
    return { ...value, value: value.value.map((each) => ({ ...each, id: each.orgId })) }
  })
  const refresh = async () => void (await Promise.all([pages.load(), reload()]))
  return (
    <div class="overrides">
      <h3>{t('Set for organisations')}</h3>
      <PagedList
        pages={{ ...pages, current }}
        empty={t('None. Tier and default apply.')}
        more={t('More organisations')}
      >
        {({ orgId, enabled, updatedAt }) => (
          <div class="row">
            <div>
              <p class="row-name">
                <a href={`/app/ops/orgs/${encodeURIComponent(orgId)}`}>
                  <code dir="ltr">{orgId}</code>
                </a>{' '}
                <span class={enabled ? 'chip ok' : 'chip'}>{onOff(enabled)}</span>
              </p>
              <p class="help">{formatDateTime(updatedAt)}</p>
            </div>
            <DialogButton
              label={t('Remove')}
              name={orgId}
              question={t('Remove the setting for this organisation?')}
              disabledReason={disabledReasonFor('flags')}
              act={async () => {
                await api.orgs.flags.clear(orgId, flag.key)
                await refresh()
                announce(t('Tier and default apply again.'))
              }}
            >
              <p>{t('{key} then follows the tier or the default.', { key: flag.key })}</p>
            </DialogButton>
          </div>
        )}
      </PagedList>
      <AddOverride flag={flag} refresh={refresh} />
    </div>
  )
}

function AddOverride({ flag, refresh }: { flag: Flag; refresh: () => Promise<void> }) {
  const picked = useSignal<PickedOrg | null>(null)
  const add = useAction(async (form: FormData) => {
    if (!picked.value) throw problem(t('Choose an organisation first.'), { code: 'nobody_picked' })
    await api.orgs.flags.set(picked.value.id, flag.key, {
      enabled: textOf(form, 'override-way') === 'on',
    })
    picked.value = null
    await refresh()
    announce(t('Set for this organisation.'))
  })
  return (
    <fieldset disabled={!isAllowed('flags')}>
      <legend class="unseen">{t('Set for one organisation')}</legend>
      <Form action={add} submit={t('Set for this organisation')} busy={t('Saving …')}>
        <PickOrg
          name="override-org"
          label={t('Set for one organisation')}
          picked={picked}
          none={t('None chosen')}
        />
        <Select name="override-way" label={t('Value')} value="on" options={overrideOptions().slice(1)} />
      </Form>
    </fieldset>
  )
}

// Feature flags: the matrix of tiers, one flag to edit, and the effective value for an organisation.
import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { usePages } from '../../../data/paged-resource.ts'
import { t } from '../../../i18n/t.ts'
import { appLocation, navigate } from '../../../router/location.ts'
import { announce } from '../../../ui/base/announcer.tsx'
import { ErrorNotice } from '../../../ui/base/error-notice.tsx'
import { Page } from '../../../ui/base/sheet.tsx'
import { Field } from '../../../ui/form/field.tsx'
import { textOf } from '../../../ui/form/form.tsx'
import { DialogButton } from '../../../ui/input/dialog-button.tsx'
import { MoreRows } from '../shared/desk-table.tsx'
import { api } from '../shared/staff-api.ts'
import { disabledReasonFor } from '../shared/tiers.ts'
import { FlagDetail } from './flags-detail.tsx'
import { FlagTester } from './flags-tester.tsx'
import { type Flag, ORG_TIER_TEXTS, ORG_TIERS, onOff } from './flags-texts.ts'

const PAGE = 100

export default function Flags() {
  const flags = usePages('flags', 'ops.flags', (cursor) => api.admin.flags.list({ limit: PAGE, ...cursor }))
  const current = flags.current.value
  const chosen = appLocation.value.query.get('flag')
  const flag = current.state === 'ready' ? current.value.find(({ key }) => key === chosen) : undefined
  return (
    <Page
      title={t('Flags')}
      note={t('A value for an organisation overrides its tier, and a tier overrides the default.')}
      action={<NewFlag reload={flags.load} />}
      width="work"
    >
      {current.state === 'failed' && <ErrorNotice failure={current.failure} retry={flags.load} />}
      {current.state === 'loading' && <div class="blank page-place" aria-busy="true" />}
      {current.state === 'ready' && <Matrix flags={current.value} chosen={chosen} />}
      <MoreRows pages={flags} label={t('More flags')} />
      {flag && <ChosenFlag key={flag.key} flag={flag} reload={flags.load} />}
      {current.state !== 'loading' && <FlagTester />}
    </Page>
  )
}

/** Scrolls to the chosen flag, which is below the matrix. */
function ChosenFlag({ flag, reload }: { flag: Flag; reload: () => Promise<void> }) {
  const part = useRef<HTMLDivElement>(null)
  useEffect(() => {
    part.current?.focus()
    part.current?.scrollIntoView({ block: 'nearest' })
  }, [])
  return (
    <div ref={part} tabIndex={-1}>
      <FlagDetail flag={flag} reload={reload} />
    </div>
  )
}

function Matrix({ flags, chosen }: { flags: readonly Flag[]; chosen: string | null }) {
  if (flags.length === 0) return <p>{t('No flags yet.')}</p>
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling box must be reachable by keyboard.
    <section class="table-box" tabIndex={0} aria-label={t('Flags by tier')}>
      <table>
        <thead>
          <tr>
            <th scope="col">{t('Flag')}</th>
            <th scope="col">{t('Default')}</th>
            {ORG_TIERS.map((tier) => (
              <th scope="col" key={tier}>
                {t(ORG_TIER_TEXTS[tier])}
              </th>
            ))}
            <th scope="col">{t('Organisations')}</th>
          </tr>
        </thead>
        <tbody>
          {flags.map((flag) => (
            <tr key={flag.key}>
              <th scope="row">
                <a
                  class="flag-name"
                  href={`/app/ops/flags?flag=${encodeURIComponent(flag.key)}`}
                  aria-current={flag.key === chosen ? 'true' : undefined}
                >
                  <code dir="ltr">{flag.key}</code>
                </a>
              </th>
              <td>
                <StateLight on={flag.defaultEnabled} />
              </td>
              {ORG_TIERS.map((tier) => {
                const decided = flag.tierOverrides[tier]
                return (
                  <td key={tier}>
                    {decided === undefined ? (
                      <span class="help">{t('as default')}</span>
                    ) : (
                      <StateLight on={decided} />
                    )}
                  </td>
                )
              })}
              <td class="number">
                {flag.orgOverrides.length}
                {flag.moreOrgOverrides && '+'}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

/** Shape and text show the state. */
const StateLight = ({ on }: { on: boolean }) => <span class={on ? 'light on' : 'light'}>{onOff(on)}</span>

const NewFlag = ({ reload }: { reload: () => Promise<void> }) => {
  const typed = useSignal('')
  return (
    <DialogButton
      look="primary"
      label={t('New flag')}
      submit={t('Create flag')}
      question={t('A new flag')}
      fields={['key', 'description']}
      disabledReason={disabledReasonFor('flags')}
      act={async (form) => {
        const key = textOf(form, 'key').trim()
        await api.admin.flags.set(key, {
          description: textOf(form, 'description').trim(),
          defaultEnabled: false,
        })
        await reload()
        typed.value = ''
        announce(t('Flag created. It is off for everyone.'))
        navigate(`/app/ops/flags?flag=${encodeURIComponent(key)}`)
      }}
    >
      {(failure) => (
        <>
          <p>{t('It is off for everyone until you turn it on.')}</p>
          <Field
            name="key"
            label={t('Key')}
            help={t('The key in code, for example new_editor.')}
            failure={failure}
            value={typed.value}
            onInput={(event) => {
              typed.value = event.currentTarget.value
            }}
            required
            dir="ltr"
            autocomplete="off"
            autocapitalize="none"
            spellcheck={false}
            maxLength={100}
          />
          <Field name="description" label={t('Description')} failure={failure} dir="auto" maxLength={500} />
        </>
      )}
    </DialogButton>
  )
}

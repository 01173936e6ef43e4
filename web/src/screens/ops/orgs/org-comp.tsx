// A complimentary plan for an organisation.
import type { AdminCompsGrantBody } from '@cowrie/sdk'
import { useResource } from '../../../data/resource.ts'
import { formatDate, formatDateTime } from '../../../i18n/format.ts'
import { t } from '../../../i18n/t.ts'
import { announce } from '../../../ui/base/announcer.tsx'
import { ErrorNotice } from '../../../ui/base/error-notice.tsx'
import { Facts } from '../../../ui/base/facts.tsx'
import { Section } from '../../../ui/base/sheet.tsx'
import { textOf } from '../../../ui/form/form.tsx'
import { DialogButton } from '../../../ui/input/dialog-button.tsx'
import { LongField } from '../../../ui/input/long-field.tsx'
import { Select } from '../../../ui/input/select.tsx'
import { api } from '../shared/staff-api.ts'

type Props = { orgId: string; orgName: string; disabledReason: string | null; onChanged: () => Promise<void> }

export function CompPlan({ orgId, orgName, disabledReason, onChanged }: Props) {
  const read = useResource(`comp ${orgId}`, () => api.admin.comps.get(orgId))
  const current = read.current.value
  const comp = current.state === 'ready' ? current.value.comp : null
  const refresh = () => Promise.all([read.load(), onChanged()])
  return (
    <Section title={t('Complimentary plan')}>
      {current.state === 'failed' && <ErrorNotice failure={current.failure} retry={read.load} />}
      {current.state === 'loading' && <span class="blank row" aria-busy="true" />}
      {current.state === 'ready' && comp === null && <p>{t('None.')}</p>}
      {comp && (
        <Facts
          lines={[
            [t('Plan'), comp.planCode],
            [t('Until'), comp.until ? formatDate(comp.until) : t('No end date')],
            [t('In force'), comp.inForce ? t('Yes') : t('No')],
            [t('Reason'), comp.reason],
            [t('Granted'), formatDateTime(comp.createdAt)],
          ]}
        />
      )}
      <div class="choices">
        <DialogButton
          label={comp ? t('Grant another plan') : t('Grant plan')}
          question={t('Grant {name} a plan?', { name: orgName })}
          fields={['planCode', 'until', 'reason']}
          disabledReason={disabledReason}
          act={async (form) => {
            await api.admin.comps.grant(orgId, compIn(form))
            await refresh()
            announce(t('Plan granted.'))
          }}
        >
          {(failure) => (
            <>
              <p>
                {t('The owner gets this plan free of charge until it ends. It replaces an earlier grant.')}
              </p>
              <Select
                name="planCode"
                label={t('Plan')}
                failure={failure}
                options={[
                  ['pro', 'Pro'],
                  ['team', 'Team'],
                  ['enterprise', 'Enterprise'],
                ]}
              />
              <div class="field">
                <label for="until">{t('Until (empty means no end)')}</label>
                <input id="until" name="until" type="date" />
              </div>
              <LongField name="reason" label={t('Reason')} failure={failure} required maxLength={500} />
            </>
          )}
        </DialogButton>
        {comp && (
          <DialogButton
            label={t('Withdraw')}
            question={t('Withdraw the plan of {name}?', { name: orgName })}
            look="grave"
            disabledReason={disabledReason}
            act={async () => {
              await api.admin.comps.revoke(orgId)
              await refresh()
              announce(t('Plan withdrawn.'))
            }}
          >
            <p>
              {t(
                'The current month continues. The next renewal charges a card, or ends the plan without one.',
              )}
            </p>
          </DialogButton>
        )}
      </div>
    </Section>
  )
}

/** The last day is included, in the time zone of the user. */
function compIn(form: FormData): AdminCompsGrantBody {
  const until = textOf(form, 'until')
  return {
    planCode: textOf(form, 'planCode') as AdminCompsGrantBody['planCode'],
    reason: textOf(form, 'reason').trim(),
    ...(until && { until: new Date(`${until}T23:59:59`).toISOString() }),
  }
}

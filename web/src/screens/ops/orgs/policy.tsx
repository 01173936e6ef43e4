// The policy of an organisation: tier, models, region and data isolation.
import type { OrgPolicy, PolicyChangeBody } from '@cowrie/sdk'
import { useSignal } from '@preact/signals'
import { useResource } from '../../../data/resource.ts'
import { useAction } from '../../../data/use-action.ts'
import { formatDateTime } from '../../../i18n/format.ts'
import { t } from '../../../i18n/t.ts'
import { announce } from '../../../ui/base/announcer.tsx'
import { ErrorNotice } from '../../../ui/base/error-notice.tsx'
import { Section } from '../../../ui/base/sheet.tsx'
import { Field } from '../../../ui/form/field.tsx'
import { Form, textOf } from '../../../ui/form/form.tsx'
import { ChipsField, listOf, type Suggestion } from '../../../ui/input/chips-field.tsx'
import { DialogButton } from '../../../ui/input/dialog-button.tsx'
import { Select } from '../../../ui/input/select.tsx'
import { api } from '../shared/staff-api.ts'
import type { OrgTabProps } from './org-texts.ts'
import { disabledReasonFor, ISOLATIONS, ORG_TIERS } from './org-texts.ts'
import { Warnings } from './policy-warnings.tsx'

export function OrgPolicyView({ detail, reload }: OrgTabProps) {
  const { orgId } = detail.org
  const policy = useResource(`policy ${orgId}`, () => api.policy.get(orgId))
  const warnings = useSignal<string[]>([])
  const current = policy.current.value
  async function change(body: PolicyChangeBody) {
    const changed = await api.policy.change(orgId, body)
    warnings.value = changed.warnings
    await Promise.all([policy.load(), reload()])
    announce(t('The policy is saved.'))
  }
  return (
    <>
      {current.state === 'failed' && <ErrorNotice failure={current.failure} retry={policy.load} />}
      {current.state === 'loading' && <span class="blank org-place" aria-busy="true" />}
      <Warnings warnings={warnings.value} />
      {current.state === 'ready' && (
        <>
          <Rules
            key={current.value.policy.updatedAt}
            detail={detail}
            policy={current.value.policy}
            change={change}
          />
          <Isolation detail={detail} policy={current.value.policy} change={change} />
        </>
      )}
    </>
  )
}

type Props = Pick<OrgTabProps, 'detail'> & {
  policy: OrgPolicy
  change: (body: PolicyChangeBody) => Promise<void>
}

function Rules({ detail, policy, change }: Props) {
  const disabledReason = disabledReasonFor('policy', detail.members)
  const action = useAction((form: FormData) =>
    change({
      tier: textOf(form, 'tier') as OrgPolicy['tier'],
      allowedLanes: form.has('frontier') ? ['open', 'frontier'] : ['open'],
      allowedModels: modelsFrom(form),
      residencyRegion: textOf(form, 'residencyRegion').trim() || null,
    }),
  )
  const failure = action.failure.value
  return (
    <Section title={t('Tier, models and region')}>
      <fieldset disabled={disabledReason !== null}>
        <Form
          action={action}
          submit={t('Save')}
          busy={t('Saving …')}
          fields={['residencyRegion', 'allowedLanes', 'allowedModels', 'tier']}
          back="tier"
        >
          <Select
            name="tier"
            label={t('Tier')}
            defaultValue={policy.tier}
            failure={failure}
            help={t('Its plan grants {tier}. A tier set here overrides the plan.', {
              tier: t(ORG_TIERS[policy.planTier]),
            })}
            options={Object.entries(ORG_TIERS).map(([key, words]) => [key, t(words)])}
          />
          <label class="tick">
            <input
              type="checkbox"
              name="frontier"
              defaultChecked={policy.allowedLanes.includes('frontier')}
            />
            <span>{t('Allow frontier models')}</span>
          </label>
          <ChipsField
            name="allowedModels"
            label={t('Allowed models')}
            help={t(
              'Empty: all of the lanes above. An asterisk at the end matches every name that begins so.',
            )}
            values={policy.allowedModels ?? []}
            suggestions={useModelNames()}
            placeholder="claude-*"
            failure={failure}
          />
          <Field
            name="residencyRegion"
            label={t('Processing region')}
            help={t('Empty means any. Otherwise only models cleared for the region are used.')}
            failure={failure}
            defaultValue={policy.residencyRegion ?? ''}
            dir="ltr"
            autocomplete="off"
            autocapitalize="none"
            spellcheck={false}
            maxLength={40}
          />
        </Form>
      </fieldset>
      {disabledReason !== null && <p class="help needs">{disabledReason}</p>}
      {policy.updatedAt && (
        <p class="help">{t('Changed {time}.', { time: formatDateTime(policy.updatedAt) })}</p>
      )}
    </Section>
  )
}

function modelsFrom(form: FormData): string[] | null {
  const names = listOf(form, 'allowedModels')
  return names.length === 0 ? null : names
}

/** Without them the names are typed. */
function useModelNames(): Suggestion[] {
  const { value } = useResource('ops.model names', () => api.admin.models.list()).current
  if (value.state !== 'ready') return []
  const { lanes, models } = value.value
  return [
    ...lanes.map(({ id }): Suggestion => [id, id]),
    ...models.map(({ id, title }): Suggestion => [id, title]),
  ]
}

const LADDER = ['shared', 'schema', 'dedicated'] as const

function Isolation({ detail: { org, members }, policy, change }: Props) {
  const stronger = LADDER.slice(LADDER.indexOf(policy.dataIsolation) + 1)
  return (
    <Section title={t('Data isolation')}>
      <p data-testid="isolation">
        {t(ISOLATIONS[policy.dataIsolation])}{' '}
        {policy.isolationStatus === 'moving' && <span class="chip warn">{t('Moving')}</span>}
      </p>
      <div class="choices">
        <DialogButton
          label={t('Increase isolation')}
          name={org.name}
          question={t('Move the content of {name}?', { name: org.name })}
          look="grave"
          typed={org.name}
          fields={['dataIsolation']}
          disabledReason={
            stronger.length === 0
              ? t('This is the strongest isolation.')
              : disabledReasonFor('policy', members)
          }
          act={(form) =>
            change({ dataIsolation: textOf(form, 'dataIsolation') as OrgPolicy['dataIsolation'] })
          }
        >
          {(failure) => (
            <>
              <p>
                {t(
                  'Content of {name} moves to its own store while it keeps working. This cannot be undone.',
                  { name: org.name },
                )}
              </p>
              <Select
                name="dataIsolation"
                label={t('To')}
                failure={failure}
                options={stronger.map((each) => [each, t(ISOLATIONS[each])])}
              />
            </>
          )}
        </DialogButton>
      </div>
    </Section>
  )
}

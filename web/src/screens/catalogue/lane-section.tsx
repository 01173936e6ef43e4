// The further routes of a lane, tried after the one of the settings.
import type { LaneRoutes, Provider } from '@cowrie/sdk'
import { useAction } from '../../data/use-action.ts'
import { t, tn } from '../../i18n/t.ts'
import { announce } from '../../ui/base/announcer.tsx'
import { Section } from '../../ui/base/sheet.tsx'
import { Form } from '../../ui/form/form.tsx'
import { api } from '../ops/shared/staff-api.ts'
import { isAllowed } from '../ops/shared/tiers.ts'
import { routesFrom } from './model-body.ts'
import { RouteFields } from './route-fields.tsx'

type Props = { lane: LaneRoutes; providers: readonly Provider[]; reload: () => Promise<void> }

export function LaneSection({ lane, providers, reload }: Props) {
  const { id, routes } = lane
  const action = useAction(async (form: FormData) => {
    await api.admin.models.set(id, { routes: routesFrom(form) })
    await reload()
    announce(t('{name} is saved.', { name: id }))
  })
  return (
    <Section title={t('Lane {name}', { name: id })}>
      <p class="help">
        {t('Its model and price are in Settings. Fallback routes are used when the first one fails.')}
      </p>
      <details class="fold">
        <summary>{tn(routes.length, '{n} fallback route', '{n} fallback routes')}</summary>
        <fieldset class="model-form" disabled={!isAllowed('models')}>
          <Form action={action} submit={t('Save')} busy={t('Saving …')} fields={['routes']}>
            <RouteFields
              key={JSON.stringify(routes)}
              routes={routes}
              providers={providers}
              failure={action.failure.value}
              prefix={`${id}-`}
            />
          </Form>
        </fieldset>
      </details>
    </Section>
  )
}

// The effective value of a flag for one organisation, and its source.
import { useSignal } from '@preact/signals'
import { api } from '../../../data/api.ts'
import { useResource } from '../../../data/resource.ts'
import { t } from '../../../i18n/t.ts'
import { ErrorNotice } from '../../../ui/base/error-notice.tsx'
import { Section } from '../../../ui/base/sheet.tsx'
import { type PickedOrg, PickOrg } from '../shared/pick-org.tsx'
import { onOff, SOURCE_TEXTS } from './flags-texts.ts'

export function FlagTester() {
  const picked = useSignal<PickedOrg | null>(null)
  return (
    <Section title={t('Effective value for an organisation')}>
      <div class="narrow-part">
        <PickOrg name="tested-org" label={t('Organisation')} picked={picked} none={t('None chosen')} />
      </div>
      {picked.value && <EffectiveFlags key={picked.value.id} org={picked.value} />}
    </Section>
  )
}

function EffectiveFlags({ org }: { org: PickedOrg }) {
  const flags = useResource(`ops.flags of ${org.id}`, () => api.orgs.flags.list(org.id))
  const current = flags.current.value
  if (current.state === 'failed') return <ErrorNotice failure={current.failure} retry={flags.load} />
  if (current.state === 'loading') return <span class="blank row" aria-busy="true" />
  const { tier, sources } = current.value
  return (
    <div data-testid="seen-flags">
      <p class="help">{t('{name} has the tier {tier}.', { name: org.name, tier })}</p>
      {sources.length === 0 && <p>{t('No flags yet.')}</p>}
      <ul class="rows">
        {sources.map(({ key, enabled, source }) => (
          <li key={key} class="row">
            <code dir="ltr">{key}</code>
            <span>
              <span class={enabled ? 'light on' : 'light'}>{onOff(enabled)}</span>{' '}
              <span class="help">{t(SOURCE_TEXTS[source])}</span>
            </span>
          </li>
        ))}
      </ul>
    </div>
  )
}

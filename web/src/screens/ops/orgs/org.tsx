// One organisation: facts, policy, money and history.
import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { useResource } from '../../../data/resource.ts'
import { t } from '../../../i18n/t.ts'
import { appLocation } from '../../../router/location.ts'
import { ErrorNotice } from '../../../ui/base/error-notice.tsx'
import { Page } from '../../../ui/base/sheet.tsx'
import { Tabs } from '../../../ui/layout/tabs.tsx'
import { api } from '../shared/staff-api.ts'
import { Sso } from '../sso/sso.tsx'
import { OrgChips } from './org-chips.tsx'
import { OrgFacts } from './org-facts.tsx'
import { OrgFlags } from './org-flags.tsx'
import { OrgHistory } from './org-history.tsx'
import { OrgMoney } from './org-money.tsx'
import type { OrgTabProps } from './org-texts.ts'
import { OrgPolicyView } from './policy.tsx'

export default function Org({ id }: { id: string }) {
  const detail = useResource(`admin.org ${id}`, () => api.admin.orgs.get(id))
  const current = detail.current.value
  return (
    <Page title={current.state === 'ready' ? <bdi>{current.value.org.name}</bdi> : t('Organisation')}>
      <p class="onward">
        <a href="/app/ops/orgs">{t('All organisations')}</a>
      </p>
      {current.state === 'failed' && <ErrorNotice failure={current.failure} retry={detail.load} />}
      {current.state === 'loading' && <span class="blank org-place" aria-busy="true" />}
      {current.state === 'ready' && <OrgTabs detail={current.value} reload={detail.load} />}
    </Page>
  )
}

function OrgTabs({ detail, reload }: OrgTabProps) {
  const chosen = useSignal(appLocation.peek().query.get('part') ?? 'facts')
  const { value: part } = chosen
  useEffect(() => {
    // Replace the address: a reload opens the same tab, and Back skips tabs.
    history.replaceState(history.state, '', `${location.pathname}${part === 'facts' ? '' : `?part=${part}`}`)
  }, [part])
  return (
    <>
      <OrgChips org={detail.org} />
      <Tabs
        label={t('Tabs of this organisation')}
        chosen={chosen}
        tabs={[
          { id: 'facts', name: t('Facts'), view: () => <OrgFacts detail={detail} reload={reload} /> },
          { id: 'policy', name: t('Policy'), view: () => <OrgPolicyView detail={detail} reload={reload} /> },
          { id: 'sso', name: t('Single sign-on'), view: () => <Sso detail={detail} reload={reload} /> },
          { id: 'flags', name: t('Flags'), view: () => <OrgFlags detail={detail} /> },
          { id: 'money', name: t('Money'), view: () => <OrgMoney detail={detail} reload={reload} /> },
          { id: 'history', name: t('History'), view: () => <OrgHistory detail={detail} /> },
        ]}
      />
    </>
  )
}

// The policy of the organisation. Only our staff can change it.
import { api } from '../../data/api.ts'
import { useResource } from '../../data/resource.ts'
import type { Me } from '../../data/session.ts'
import { msg, t } from '../../i18n/t.ts'
import { Facts } from '../../ui/base/facts.tsx'
import { Section } from '../../ui/base/sheet.tsx'

const TIERS: Readonly<Record<string, string>> = {
  individual: msg('Individual'),
  team: msg('Team'),
  enterprise: msg('Enterprise'),
}

export function OrgPolicy({ me }: { me: Me }) {
  const orgs = useResource('me.orgs', () => api.me.orgs())
  const current = orgs.current.value
  const own =
    current.state === 'ready' ? current.value.orgs.find(({ orgId }) => orgId === me.orgId) : undefined
  const { tier, allowedLanes, residencyRegion } = me.orgPolicy
  return (
    <Section title={t('Policy and single sign-on')}>
      <Facts
        lines={[
          [t('Tier'), t(TIERS[tier] ?? tier)],
          [
            t('Models'),
            allowedLanes.includes('frontier') ? t('Open and frontier models') : t('Open models only'),
          ],
          [t('Processing region'), residencyRegion ?? t('Any region')],
          [
            t('Single sign-on'),
            current.state === 'loading' ? null : own?.ssoRequired ? t('Required') : t('Not required'),
          ],
        ]}
      />
      <p class="help">{t('We set these up with you to avoid lockouts.')}</p>
      <div class="choices">
        <a class="button" href="/app/contact">
          {t('Contact us to change these')}
        </a>
      </div>
    </Section>
  )
}

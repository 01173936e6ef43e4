// The policy of the organisation. Our staff change it with the owners, who choose about GitHub themselves.
import { api } from '../../data/api.ts'
import { useResource } from '../../data/resource.ts'
import { authConfig } from '../../data/service-info.ts'
import type { Me } from '../../data/session.ts'
import { useAction } from '../../data/use-action.ts'
import { msg, t } from '../../i18n/t.ts'
import { announce } from '../../ui/base/announcer.tsx'
import { ErrorNotice } from '../../ui/base/error-notice.tsx'
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
      {own?.ssoRequired && me.role === 'owner' && (
        <GithubAllowed orgId={me.orgId} allowed={own.githubAllowed} onChanged={orgs.load} />
      )}
      <p class="help">{t('We set these up with you to avoid lockouts.')}</p>
      <div class="choices">
        <a class="button" href="/app/contact">
          {t('Contact us to change these')}
        </a>
      </div>
    </Section>
  )
}

type GithubProps = { orgId: string; allowed: boolean; onChanged: () => Promise<void> }

function GithubAllowed({ orgId, allowed, onChanged }: GithubProps) {
  const config = authConfig.current.value
  const { run, busy, failure } = useAction(async (githubAllowed: boolean) => {
    await api.orgs.signIn(orgId, { githubAllowed })
    await onChanged()
    announce(githubAllowed ? t('GitHub is allowed.') : t('GitHub is no longer allowed.'))
  })
  if (config.state !== 'ready' || !config.value.methods.includes('github')) return null
  return (
    <>
      <label class="tick">
        <input
          key={`${allowed}${busy.value}`}
          type="checkbox"
          name="github-allowed"
          defaultChecked={allowed}
          disabled={busy.value}
          onChange={(event) => void run(event.currentTarget.checked)}
        />
        <span>
          {t('Also allow sign-in with GitHub')}
          <span class="help">{t('Off: only your identity provider signs members in.')}</span>
        </span>
      </label>
      {failure.value && <ErrorNotice failure={failure.value} />}
    </>
  )
}

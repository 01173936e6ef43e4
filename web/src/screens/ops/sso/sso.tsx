// Single sign-on of an organisation: provider, domains, enforcement and role mapping.
import { useSignal } from '@preact/signals'
import { api } from '../../../data/api.ts'
import { useResource } from '../../../data/resource.ts'
import { t } from '../../../i18n/t.ts'
import { announce } from '../../../ui/base/announcer.tsx'
import { ErrorNotice } from '../../../ui/base/error-notice.tsx'
import { Section } from '../../../ui/base/sheet.tsx'
import { DialogButton } from '../../../ui/input/dialog-button.tsx'
import type { OrgTabProps } from '../orgs/org-texts.ts'
import { disabledReasonFor } from '../orgs/org-texts.ts'
import { Warnings } from '../orgs/policy-warnings.tsx'
import { Connection } from './sso-connection.tsx'
import { Domains } from './sso-domains.tsx'
import { GroupRoles } from './sso-roles.tsx'

export function Sso({ detail: { org, members } }: OrgTabProps) {
  const { orgId } = org
  const read = useResource(`sso ${orgId}`, async () => {
    const [{ connection }, { domains }, { policy }] = await Promise.all([
      api.orgs.sso.get(orgId),
      api.orgs.sso.domains.list(orgId),
      api.policy.get(orgId),
    ])
    return { connection, domains, policy }
  })
  const warnings = useSignal<string[]>([])
  const current = read.current.value
  if (current.state === 'failed') return <ErrorNotice failure={current.failure} retry={read.load} />
  if (current.state === 'loading') return <span class="blank org-place" aria-busy="true" />
  const { connection, domains, policy } = current.value
  const isReady = connection?.enabled === true && domains.some(({ verified }) => verified)
  return (
    <>
      <Connection key={connection?.updatedAt} orgId={orgId} connection={connection} onChanged={read.load} />
      <Domains orgId={orgId} orgName={org.name} domains={domains} onChanged={read.load} />
      <Section title={t('Enforcement')}>
        <Warnings warnings={warnings.value} />
        <p data-testid="sso-required">
          {policy.ssoRequired
            ? t('Single sign-on is required. Passwords and sign-in links are rejected.')
            : t('Single sign-on is optional. Other methods still work.')}
        </p>
        <div class="choices">
          {policy.ssoRequired ? (
            <DialogButton
              label={t('Stop requiring SSO')}
              question={t('Allow other sign-in methods for {name}?', { name: org.name })}
              disabledReason={disabledReasonFor('policy', members)}
              act={() => require(false)}
            >
              <p>{t('Passwords and sign-in links work again immediately.')}</p>
            </DialogButton>
          ) : (
            <DialogButton
              label={t('Require SSO')}
              question={t('Require single sign-on for {name}?', { name: org.name })}
              look="grave"
              disabledReason={
                isReady
                  ? disabledReasonFor('policy', members)
                  : t('Needs an enabled connection and a verified domain first.')
              }
              act={() => require(true)}
            >
              <p>
                {t(
                  'Members of {name} must use their provider. Passwords, sign-in links and other sessions stop working immediately.',
                  { name: org.name },
                )}
              </p>
            </DialogButton>
          )}
        </div>
      </Section>
      <GroupRoles
        key={JSON.stringify(policy.groupRoleMap)}
        policy={policy}
        disabledReason={disabledReasonFor('policy', members)}
        onChanged={read.load}
      />
    </>
  )

  async function require(ssoRequired: boolean) {
    const changed = await api.policy.change(orgId, { ssoRequired })
    warnings.value = changed.warnings
    await read.load()
    announce(ssoRequired ? t('Single sign-on is required.') : t('Single sign-on is no longer required.'))
  }
}

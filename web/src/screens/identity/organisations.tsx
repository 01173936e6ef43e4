// The organisations of the user. A session belongs to one of them at a time.
import type { MeOrgsReply } from '@cowrie/sdk'
import { api } from '../../data/api.ts'
import { useResource } from '../../data/resource.ts'
import { reloadAfterSwitch, session } from '../../data/session.ts'
import { useAction } from '../../data/use-action.ts'
import { t } from '../../i18n/t.ts'
import { announce } from '../../ui/base/announcer.tsx'
import { ErrorNotice } from '../../ui/base/error-notice.tsx'
import { Listing } from '../../ui/base/listing.tsx'
import { Page } from '../../ui/base/sheet.tsx'
import { orgNameFor, ROLES } from '../shared/org-texts.ts'

type Org = MeOrgsReply['orgs'][number]

export default function Organisations() {
  const orgs = useResource('me.orgs', () => api.me.orgs())
  return (
    <Page
      title={t('Organisations')}
      note={t('Each organisation has its own wallet, members and keys.')}
      width="reading"
    >
      <Listing
        from={orgs}
        items={(listed) => listed.orgs.map((org) => ({ ...org, id: org.orgId }))}
        empty={t('You are in no organisation.')}
      >
        {(org) => <Row org={org} />}
      </Listing>
    </Page>
  )
}

function Row({ org }: { org: Org }) {
  const { value } = session
  const me = value.state === 'in' ? value.me : null
  const isHere = me?.orgId === org.orgId
  const name = orgNameFor(me, org.name)
  const { run, busy, failure } = useAction(async () => {
    await api.me.switchOrg({ orgId: org.orgId })
    await reloadAfterSwitch()
    announce(t('You are now in {name}.', { name }))
    document.getElementById('screen-title')?.focus()
  })
  return (
    <div class="row">
      <div>
        <p class="row-name">
          <bdi>{name}</bdi> {isHere && <span class="ok">{t('Current')}</span>}
        </p>
        <p class="help">
          {t(ROLES[org.role] ?? org.role)}
          {org.ssoRequired && ` · ${t('requires single sign-on')}`}
        </p>
        {failure.value && <ErrorNotice failure={failure.value} />}
      </div>
      {!isHere && (
        <button
          type="button"
          aria-label={t('Switch to {name}', { name })}
          aria-disabled={busy.value}
          onClick={() => void run()}
        >
          {t('Switch')}
        </button>
      )}
    </div>
  )
}

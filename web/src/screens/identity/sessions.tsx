// The sessions of the account, with a button to end each.
import type { MeSessionsListReply } from '@cowrie/sdk'
import { api } from '../../data/api.ts'
import { useResource } from '../../data/resource.ts'
import { useAction } from '../../data/use-action.ts'
import { formatDateTime } from '../../i18n/format.ts'
import { msg, t } from '../../i18n/t.ts'
import { announce } from '../../ui/base/announcer.tsx'
import { ErrorNotice } from '../../ui/base/error-notice.tsx'
import { Listing } from '../../ui/base/listing.tsx'
import { Page } from '../../ui/base/sheet.tsx'
import { browserName } from './browser-name.ts'

type Listed = MeSessionsListReply['sessions'][number]

const METHODS: Record<string, string> = {
  password: msg('password'),
  magic_link: msg('mailed link'),
  passkey: msg('passkey'),
  oidc: msg('single sign-on'),
  saml: msg('single sign-on'),
  invitation: msg('invitation'),
  github: msg('GitHub'),
  verification: msg('confirmed email'),
  dev: msg('development sign-in'),
}

export default function Sessions() {
  const sessions = useResource('me.sessions', () => api.me.sessions.list())
  const others = useAction(async () => {
    await api.me.sessions.endOthers()
    document.getElementById('screen-title')?.focus()
    await sessions.load()
    announce(t('All other sessions have ended.'))
  })
  const listed = sessions.current.value
  const hasOthers = listed.state === 'ready' && listed.value.sessions.length > 1
  return (
    <Page
      title={t('Sessions')}
      note={t('Browsers and devices signed in to your account. End sessions you do not know.')}
      action={
        hasOthers && (
          <button type="button" aria-disabled={others.busy.value} onClick={() => void others.run()}>
            {t('End all others')}
          </button>
        )
      }
    >
      {others.failure.value && <ErrorNotice failure={others.failure.value} />}
      <Listing from={sessions} items={inOrder} empty={t('None.')}>
        {(listed) => <Row listed={listed} reload={sessions.load} />}
      </Listing>
    </Page>
  )
}

/** This session first, then by last activity. */
const inOrder = ({ sessions }: { sessions: Listed[] }): Listed[] =>
  sessions.toSorted(
    (a, b) => Number(b.current) - Number(a.current) || b.lastSeenAt.localeCompare(a.lastSeenAt),
  )

function Row({ listed, reload }: { listed: Listed; reload: () => Promise<void> }) {
  const name = browserName(listed.userAgent)
  const end = useAction(async () => {
    await api.me.sessions.end(listed.id)
    document.getElementById('screen-title')?.focus()
    await reload()
    announce(t('The session has ended.'))
  })
  return (
    <div class="row">
      <div>
        <p class="row-name">
          {name} {listed.current && <span class="ok">{t('This session')}</span>}
        </p>
        <p class="help">
          <bdi dir="ltr">{listed.ip}</bdi> · {t(METHODS[listed.method] ?? listed.method)}
        </p>
        <p class="help">
          {t('Active {seen} · since {since}', {
            seen: formatDateTime(listed.lastSeenAt),
            since: formatDateTime(listed.createdAt),
          })}
        </p>
        {end.failure.value && <ErrorNotice failure={end.failure.value} />}
      </div>
      {!listed.current && (
        <button
          type="button"
          aria-label={t('End {name}, {address}', { name, address: listed.ip })}
          aria-disabled={end.busy.value}
          onClick={() => void end.run()}
        >
          {t('End')}
        </button>
      )}
    </div>
  )
}

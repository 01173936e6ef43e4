// Where the account is signed in, and the way to end what should not be.
import { api } from '../api.ts'
import { announce } from '../app/announcer.tsx'
import { Listing } from '../app/listing.tsx'
import { Refusal } from '../app/refusal.tsx'
import { useResource } from '../app/resource.ts'
import { Sheet } from '../app/sheet.tsx'
import { useAction } from '../app/use-action.ts'
import { moment } from '../app/words.ts'
import { browserName } from './browser-name.ts'

type Listed = {
  id: string
  createdAt: string
  lastSeenAt: string
  ip: string
  userAgent: string
  method: string
  current: boolean
}

const METHODS: Record<string, string> = {
  password: 'password',
  magic_link: 'mailed link',
  passkey: 'passkey',
  oidc: 'single sign-on',
  saml: 'single sign-on',
  invitation: 'invitation',
  dev: 'development sign-in',
}

export default function Sessions() {
  const sessions = useResource('me.sessions', () => api.me.sessions.list())
  const others = useAction(async () => {
    await api.me.sessions.endOthers()
    document.getElementById('screen-title')?.focus()
    await sessions.load()
    announce('All other sessions have ended.')
  })
  const listed = sessions.current.value
  const hasOthers = listed.state === 'ready' && listed.value.sessions.length > 1
  return (
    <Sheet title="Sessions" wide>
      <p>Every browser and device that is signed in to your account. End those you do not know.</p>
      <Listing from={sessions} items={inOrder} empty="There are none.">
        {(listed) => <Row listed={listed} reload={sessions.load} />}
      </Listing>
      {others.failure.value && <Refusal failure={others.failure.value} />}
      {hasOthers && (
        <div class="choices">
          <button type="button" aria-disabled={others.busy.value} onClick={() => void others.run()}>
            End all others
          </button>
        </div>
      )}
    </Sheet>
  )
}

/** This one first, then by when they were last seen. */
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
    announce('The session has ended.')
  })
  return (
    <div class="row">
      <div>
        <p class="row-name">
          {name} {listed.current && <span class="ok">This one</span>}
        </p>
        <p class="help">
          <bdi dir="ltr">{listed.ip}</bdi> · {METHODS[listed.method] ?? listed.method}
        </p>
        <p class="help">
          Seen {moment(listed.lastSeenAt)} · since {moment(listed.createdAt)}
        </p>
        {end.failure.value && <Refusal failure={end.failure.value} />}
      </div>
      {!listed.current && (
        <button
          type="button"
          aria-label={`End ${name}, ${listed.ip}`}
          aria-disabled={end.busy.value}
          onClick={() => void end.run()}
        >
          End
        </button>
      )}
    </div>
  )
}

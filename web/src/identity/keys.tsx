// API keys: what programs use in place of a person.
import { useSignal } from '@preact/signals'
import { api } from '../api.ts'
import { announce } from '../app/announcer.tsx'
import { Confirmed } from '../app/confirm.tsx'
import { Listing } from '../app/listing.tsx'
import { type Resource, useResource } from '../app/resource.ts'
import { Part, Sheet } from '../app/sheet.tsx'
import { moment } from '../app/words.ts'
import { KeyMade, type MadeKey, NewKey } from './new-key.tsx'
import { session } from './session.ts'

type Listed = {
  id: string
  name: string
  prefix: string
  scopes: string[]
  createdAt: string
  lastUsedAt: string | null
  expiresAt: string | null
  createdBy: { userId: string; email: string }
}
type Page = { keys: Listed[]; nextCursor: string | null }

export default function Keys() {
  const keys = useResource('keys', () => api.keys.list({ limit: 200 }))
  const made = useSignal<MadeKey | null>(null)
  return (
    <Sheet title="API keys" wide>
      <p>
        Programs sign in with a key instead of a person. A key belongs to this organisation and may do what
        you tick.
      </p>
      {made.value ? (
        <KeyMade
          made={made.value}
          onDone={() => {
            made.value = null
            document.getElementById('screen-title')?.focus()
          }}
        />
      ) : (
        <NewKey
          onMade={async (key) => {
            made.value = key
            await keys.load()
          }}
        />
      )}
      <Part title="Keys that work">
        <Listing from={keys} items={(page) => page.keys} empty="No keys yet. Make your first one above.">
          {(listed) => <Row listed={listed} keys={keys} />}
        </Listing>
        <More keys={keys} />
      </Part>
    </Sheet>
  )
}

/** A person has at most 50 keys; only a large organisation has more than one page. */
function More({ keys }: { keys: Resource<Page> }) {
  const { value } = keys.current
  if (value.state !== 'ready' || value.value.nextCursor === null) return null
  return <p class="help">These are the 200 newest. The API lists them all.</p>
}

function Row({ listed, keys }: { listed: Listed; keys: Resource<Page> }) {
  const { value } = session
  const isOwn = value.state === 'in' && value.me.userId === listed.createdBy.userId
  return (
    <div class="row">
      <div>
        <p class="row-name">
          <bdi>{listed.name}</bdi>
        </p>
        <p class="help">
          <code dir="ltr">{listed.prefix}…</code> · {listed.scopes.join(', ') || 'no scopes'}
          {!isOwn && (
            <>
              {' '}
              · by <bdi>{listed.createdBy.email}</bdi>
            </>
          )}
        </p>
        <p class="help">
          Made {moment(listed.createdAt)} ·{' '}
          {listed.lastUsedAt ? `used ${moment(listed.lastUsedAt)}` : 'never used'}
          {listed.expiresAt && ` · until ${moment(listed.expiresAt)}`}
        </p>
      </div>
      <Confirmed
        label="Revoke"
        name={listed.name}
        question={`Revoke “${listed.name}”?`}
        act={async () => {
          await api.keys.revoke(listed.id)
          await keys.load()
          announce('The key is revoked.')
          document.getElementById('screen-title')?.focus()
        }}
      >
        <p>Programs that use it stop at once. This cannot be taken back.</p>
      </Confirmed>
    </div>
  )
}

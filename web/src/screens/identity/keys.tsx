// API keys.
import type { ApiKey, KeysCreateReply, KeysListReply } from '@cowrie/sdk'
import { useSignal } from '@preact/signals'
import { api } from '../../data/api.ts'
import { type Resource, useResource } from '../../data/resource.ts'
import { type Me, ownerOf, session } from '../../data/session.ts'
import { formatDateTime } from '../../i18n/format.ts'
import { t } from '../../i18n/t.ts'
import { Trans } from '../../i18n/trans.tsx'
import { announce } from '../../ui/base/announcer.tsx'
import { Listing } from '../../ui/base/listing.tsx'
import { Page, Section } from '../../ui/base/sheet.tsx'
import { ConfirmButton } from '../../ui/input/confirm-button.tsx'
import { EmptyState } from '../../ui/layout/empty-state.tsx'
import { EditKey } from './edit-key.tsx'
import { KeyBudget, KeyLimitsLine } from './key-budget.tsx'
import { KeyExamples } from './key-examples.tsx'
import { NewKey } from './new-key.tsx'
import { NewKeySecret } from './new-key-secret.tsx'
import { scopeText } from './scopes.ts'

export default function Keys() {
  const { value } = session
  // Remount for another organisation: a new key of the previous one must not be shown.
  return value.state === 'in' ? <KeyList key={ownerOf(value)} me={value.me} /> : null
}

function KeyList({ me }: { me: Me }) {
  const keys = useResource('keys', () => api.keys.list({ limit: 200 }))
  const made = useSignal<KeysCreateReply | null>(null)
  return (
    <Page
      title={t('API keys')}
      note={
        <>
          {t('Programs use a key to call the API and spend from this wallet.')}{' '}
          <a href="/app/tools">{t('Set up Claude Code, Codex, Cursor and other tools')}</a>
        </>
      }
      action={
        <NewKey
          currency={me.currency}
          onMade={async (key) => {
            await keys.load()
            made.value = key
          }}
        />
      }
    >
      {made.value && (
        <NewKeySecret
          made={made.value}
          onDone={() => {
            made.value = null
            document.getElementById('screen-title')?.focus()
          }}
        />
      )}
      <Section title={t('Active keys')}>
        <Listing
          from={keys}
          items={(page) => page.keys}
          empty={
            <EmptyState
              picture="list"
              title={t('No keys yet')}
              text={t('Give each program its own key, with a budget and an expiry.')}
            />
          }
        >
          {(listed) => <Row listed={listed} keys={keys} me={me} />}
        </Listing>
        <More keys={keys} />
      </Section>
      <KeyExamples />
    </Page>
  )
}

/** A user has at most 50 keys; only a large organisation has several pages. */
function More({ keys }: { keys: Resource<KeysListReply> }) {
  const { value } = keys.current
  if (value.state !== 'ready' || value.value.nextCursor === null) return null
  return <p class="help">{t('The 200 newest are shown. Use the API for all.')}</p>
}

function Row({ listed, keys, me }: { listed: ApiKey; keys: Resource<KeysListReply>; me: Me }) {
  const isOwn = me.userId === listed.createdBy.userId
  return (
    <div class="row">
      <div>
        <p class="row-name">
          <bdi>{listed.name}</bdi>
        </p>
        <p class="help">
          <code dir="ltr">{listed.prefix}…</code>
          {!isOwn && (
            <>
              {' · '}
              <Trans text="by {person}" person={<bdi>{listed.createdBy.email}</bdi>} />
            </>
          )}
        </p>
        <Scopes scopes={listed.scopes} />
        <KeyBudget listed={listed} currency={me.currency} />
        <KeyLimitsLine listed={listed} />
        <p class="help">
          {timesOf(listed).join(' · ')} ·{' '}
          <a href={`/app/usage/requests?keyId=${listed.id}`}>{t('Requests')}</a>
        </p>
      </div>
      <div class="key-acts">
        <EditKey listed={listed} currency={me.currency} reload={keys.load} />
        <Revoke listed={listed} keys={keys} />
      </div>
    </div>
  )
}

const Revoke = ({ listed, keys }: { listed: ApiKey; keys: Resource<KeysListReply> }) => (
  <ConfirmButton
    label={t('Revoke')}
    name={listed.name}
    question={t('Revoke “{name}”?', { name: listed.name })}
    act={async () => {
      await api.keys.revoke(listed.id)
      await keys.load()
      announce(t('The key is revoked.'))
      document.getElementById('screen-title')?.focus()
    }}
  >
    <p>{t('Programs that use it stop working immediately. This cannot be undone.')}</p>
    <p>{t('Keys that it created are revoked too.')}</p>
  </ConfirmButton>
)

const Scopes = ({ scopes }: { scopes: readonly string[] }) =>
  scopes.length === 0 ? (
    <p class="help">{t('It can only identify its owner.')}</p>
  ) : (
    <ul class="chips" aria-label={t('Permissions')}>
      {scopes.map((scope) => (
        <li key={scope} class="chip" title={scopeText(scope)}>
          <bdi dir="ltr">{scope}</bdi>
        </li>
      ))}
    </ul>
  )

const timesOf = ({ createdAt, lastUsedAt, expiresAt }: ApiKey): string[] => [
  t('Created {time}', { time: formatDateTime(createdAt) }),
  lastUsedAt ? t('used {time}', { time: formatDateTime(lastUsedAt) }) : t('never used'),
  ...(expiresAt ? [t('until {time}', { time: formatDateTime(expiresAt) })] : []),
]

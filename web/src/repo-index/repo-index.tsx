// What the agent and chat know of the reader's code: add to it, look into it, take something out.
import type { IndexState } from '@cowrie/sdk'
import { api } from '../api.ts'
import { Receipt } from '../app/receipt.tsx'
import { Refusal } from '../app/refusal.tsx'
import { useResource } from '../app/resource.ts'
import { Part, Sheet } from '../app/sheet.tsx'
import { moment, size } from '../app/words.ts'
import { locale } from '../i18n/language.ts'
import { t } from '../i18n/t.ts'
import { type Me, session } from '../identity/session.ts'
import { Add } from './add.tsx'
import { Paths } from './paths.tsx'
import { Search } from './search.tsx'

export default function RepoIndex() {
  const { value } = session
  return value.state === 'in' ? <Open key={value.me.orgId} me={value.me} /> : null
}

function Open({ me }: { me: Me }) {
  const index = useResource('index', () => api.index.get())
  const current = index.current.value
  const state = current.state === 'ready' ? current.value : null
  const isOff = state?.enabled === false
  return (
    <Sheet title={t('Code index')} wide>
      <p>{t('What is indexed is found by the agent, by chat, and by you. Secrets are struck out before.')}</p>
      {current.state === 'failed' && <Refusal failure={current.failure} retry={index.load} />}
      <Receipt lines={factsOf(state)} />
      {isOff && (
        <p class="note" role="status">
          {t(
            'This service adds nothing to indexes at the moment. Files that you attach to a run work as always.',
          )}
        </p>
      )}
      <Part title={t('Search')}>
        <Search isEmpty={state?.files === 0} />
      </Part>
      <Part title={t('Add code')}>
        <Add me={me} isOff={isOff} onAdded={index.load} />
      </Part>
      <Part title={t('What is indexed')}>
        {state ? (
          <Paths state={state} onRemoved={index.load} />
        ) : (
          <span class="blank paths-place" aria-busy={current.state === 'loading'} />
        )}
      </Part>
    </Sheet>
  )
}

const factsOf = (state: IndexState | null) =>
  [
    [t('Files'), state && count(state.files)],
    [t('Pieces'), state && count(state.chunks)],
    [t('Size'), state && size(state.bytes)],
    [t('Last change'), state && (state.updatedAt ? moment(state.updatedAt) : t('none yet'))],
  ] as const

const count = (n: number): string => new Intl.NumberFormat(locale()).format(n)

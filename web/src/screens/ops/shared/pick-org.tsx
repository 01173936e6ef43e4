// Picks one organisation by name, id or email of a member.
import { type Signal, useSignal } from '@preact/signals'
import { useAction } from '../../../data/use-action.ts'
import { t, tn } from '../../../i18n/t.ts'
import { announce } from '../../../ui/base/announcer.tsx'
import { ErrorNotice } from '../../../ui/base/error-notice.tsx'
import { api } from './staff-api.ts'

export type PickedOrg = { id: string; name: string }
type Props = { name: string; label: string; picked: Signal<PickedOrg | null>; none: string }

const FOUND_MAX = 6

/** `none` is shown while none is picked. */
export function PickOrg({ name, label, picked, none }: Props) {
  const typed = useSignal('')
  const found = useSignal<PickedOrg[] | null>(null)
  const search = useAction(async () => {
    const { orgs } = await api.admin.orgs.list({ q: typed.value.trim(), limit: FOUND_MAX })
    found.value = orgs.map((org) => ({ id: org.orgId, name: org.name }))
    announce(tn(orgs.length, '{n} organisation found.', '{n} organisations found.'))
  })
  function pick(org: PickedOrg | null) {
    picked.value = org
    found.value = null
    typed.value = ''
  }
  const ask = () => (typed.value.trim() === '' ? undefined : void search.run())
  return (
    <div class="field pick-org">
      <label for={name}>{label}</label>
      <p class="picked">
        <span dir="auto">{picked.value ? picked.value.name : none}</span>
        {picked.value && (
          <button type="button" class="plain" onClick={() => pick(null)}>
            {t('All organisations')}
          </button>
        )}
      </p>
      <div class="answer">
        <input
          id={name}
          type="search"
          dir="auto"
          autocomplete="off"
          placeholder={t('Name, id or email')}
          maxLength={120}
          value={typed.value}
          onInput={(event) => {
            typed.value = event.currentTarget.value
          }}
          onKeyDown={(event) => {
            if (event.key !== 'Enter') return
            // Enter must not submit the surrounding form.
            event.preventDefault()
            ask()
          }}
        />
        <button type="button" class="beside" aria-label={t('Find organisation')} onClick={ask}>
          {t('Find')}
        </button>
      </div>
      {search.failure.value && <ErrorNotice failure={search.failure.value} />}
      {found.value && (
        <ul class="found" aria-label={t('Matching organisations')}>
          {found.value.map((org) => (
            <li key={org.id}>
              <button type="button" onClick={() => pick(org)}>
                <span dir="auto">{org.name}</span> <code dir="ltr">{org.id}</code>
              </button>
            </li>
          ))}
          {found.value.length === 0 && <li class="help">{t('No matches.')}</li>}
        </ul>
      )}
    </div>
  )
}

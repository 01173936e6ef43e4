// The language of the app. Each language is listed under its own name.
import { useSignal } from '@preact/signals'
import { api } from '../../data/api.ts'
import { session } from '../../data/session.ts'
import { useAction } from '../../data/use-action.ts'
import { LANGUAGES, type Language, language } from '../../i18n/language.ts'
import { switchLanguage } from '../../i18n/load-translations.ts'
import { t } from '../../i18n/t.ts'
import { announce } from '../../ui/base/announcer.tsx'
import { ErrorNotice } from '../../ui/base/error-notice.tsx'

export function LanguageChoice() {
  // Selected at once, while the translations are loading.
  const wanted = useSignal<Language>(language.peek())
  const { run, busy, failure } = useAction(async () => {
    // The last press wins.
    while (language.peek() !== wanted.peek()) await switchLanguage(wanted.peek())
    announce(t('Language changed.'))
    if (session.peek().state === 'in') await api.me.update({ language: wanted.peek() })
  })
  return (
    <>
      {failure.value && <ErrorNotice failure={failure.value} />}
      <fieldset class="options" aria-busy={busy.value}>
        <legend>{t('Language')}</legend>
        {Object.entries(LANGUAGES).map(([code, name]) => (
          <label key={code} class="tick">
            <input
              type="radio"
              name="language"
              value={code}
              checked={wanted.value === code}
              onChange={() => {
                wanted.value = code as Language
                void run()
              }}
            />
            <bdi lang={code}>{name}</bdi>
          </label>
        ))}
      </fieldset>
    </>
  )
}

// The GitHub account that can sign in to this account.
import { api } from '../../../data/api.ts'
import { useResource } from '../../../data/resource.ts'
import { authConfig } from '../../../data/service-info.ts'
import { useAction } from '../../../data/use-action.ts'
import { t } from '../../../i18n/t.ts'
import { Trans } from '../../../i18n/trans.tsx'
import { appLocation } from '../../../router/location.ts'
import { ErrorNotice } from '../../../ui/base/error-notice.tsx'
import { Section } from '../../../ui/base/sheet.tsx'
import { problemText } from '../sign-in-problems.ts'

export function Github() {
  const config = authConfig.current.value
  return config.state === 'ready' && config.value.methods.includes('github') ? <LinkedAccount /> : null
}

function LinkedAccount() {
  const linked = useResource('github', () => api.auth.github.get())
  const link = useAction(async () => location.assign((await api.auth.github.link()).url))
  const unlink = useAction(async () => {
    await api.auth.github.unlink()
    await linked.load()
  })
  const current = linked.current.value
  if (current.state !== 'ready') return null
  const { github } = current.value
  const problem = problemText(appLocation.value.query.get('problem'))
  const { busy, failure, run } = github ? unlink : link
  return (
    <Section title="GitHub">
      {problem !== null && <p class="note bad">{problem}</p>}
      <p>
        {github ? (
          <Trans text="{login} can sign in to this account." login={<bdi>{github.login}</bdi>} />
        ) : (
          t('Link GitHub to sign in without a password.')
        )}
      </p>
      {failure.value && <ErrorNotice failure={failure.value} />}
      <div class="choices">
        <button type="button" aria-disabled={busy.value} onClick={() => void run()}>
          {github ? t('Unlink GitHub') : t('Link GitHub')}
        </button>
      </div>
    </Section>
  )
}

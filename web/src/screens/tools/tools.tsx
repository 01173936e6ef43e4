// Coding tools on this wallet: one guide per tool, from the installation to its first call.
import { CLIENT_RECIPES, type ClientRecipe } from '@cowrie/sdk/clients'
import { api } from '../../data/api.ts'
import { useResource } from '../../data/resource.ts'
import { type Me, session } from '../../data/session.ts'
import { t } from '../../i18n/t.ts'
import { appLocation } from '../../router/location.ts'
import { ErrorNotice } from '../../ui/base/error-notice.tsx'
import { Page } from '../../ui/base/sheet.tsx'
import { ToolGuide } from './tool-guide.tsx'

export default function Tools() {
  const { value } = session
  // Remount for another organisation: a new key of the previous one must not be shown.
  return value.state === 'in' ? <Open key={value.me.orgId} me={value.me} /> : null
}

function Open({ me }: { me: Me }) {
  const models = useResource('models', () => api.gateway.models())
  const current = models.current.value
  const named = appLocation.value.query.get('client')
  const recipe = CLIENT_RECIPES.find(({ id }) => id === named) ?? CLIENT_RECIPES[0]
  return (
    <Page
      title={t('Use your tools')}
      note={t('Your coding tools can spend from this wallet. Each tool gets a separate key.')}
    >
      <ToolList chosen={recipe} />
      {current.state === 'failed' && <ErrorNotice failure={current.failure} retry={models.load} />}
      {current.state === 'loading' && <span class="blank tool-place" aria-busy="true" />}
      {current.state === 'ready' && recipe && (
        <ToolGuide key={recipe.id} recipe={recipe} models={current.value.data} currency={me.currency} />
      )}
      <p class="onward tool-links">
        <a href="/app/keys">{t('API keys')}</a>
        <a href="/app/models">{t('Models and prices')}</a>
        <a href="/app/usage/requests">{t('Requests')}</a>
      </p>
    </Page>
  )
}

const ToolList = ({ chosen }: { chosen: ClientRecipe | undefined }) => (
  <nav aria-label={t('Tools')}>
    <ul class="tool-list">
      {CLIENT_RECIPES.map(({ id, title }) => (
        <li key={id}>
          <a href={`/app/tools?client=${id}`} aria-current={id === chosen?.id ? 'page' : undefined}>
            {title}
          </a>
        </li>
      ))}
    </ul>
  </nav>
)

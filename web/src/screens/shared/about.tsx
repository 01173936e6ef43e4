// Status and version of the service.
import { useEffect } from 'preact/hooks'
import { build } from '../../data/service-info.ts'
import { t } from '../../i18n/t.ts'
import { ErrorNotice } from '../../ui/base/error-notice.tsx'
import { Facts } from '../../ui/base/facts.tsx'

export function About() {
  const current = build.current.value
  useEffect(() => void build.load(), [])
  const known = current.state === 'ready' ? current.value : null
  return (
    <section class="about" aria-labelledby="about-title" aria-busy={current.state === 'loading'}>
      <h2 id="about-title" class="small-title">
        {t('Service')}
      </h2>
      {current.state === 'failed' ? (
        <ErrorNotice failure={current.failure} retry={build.load} />
      ) : (
        <Facts
          lines={[
            [t('Status'), known && <span class="ok">{t('Online')}</span>],
            [t('Version'), known?.version],
            [t('Environment'), known?.environment],
            [t('API version'), known?.apiVersion],
          ]}
        />
      )}
      <p>
        <a href="/docs">{t('Read the API reference')}</a>
      </p>
    </section>
  )
}

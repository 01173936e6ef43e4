// Why research is unavailable.
import type { ResearchConfig } from '@cowrie/sdk'
import { msg, t } from '../../i18n/t.ts'

const MISSING: Readonly<Record<ResearchConfig['missing'][number], string>> = {
  search: msg('No search engine is set up.'),
  storage: msg('There is no storage for reports.'),
  inference: msg('No model is available to your organisation.'),
  budget: msg('The research budget of this platform is too low.'),
}

export const Unavailable = ({ config, retry }: { config: ResearchConfig; retry: () => Promise<void> }) => (
  <section class="notice-box" aria-label={t('Research is not available')}>
    <h2>{t('Research is not available')}</h2>
    {!config.enabled && <p>{t('It is turned off on this platform.')}</p>}
    {config.missing.length > 0 && (
      <ul>
        {config.missing.map((each) => (
          <li key={each}>{t(MISSING[each])}</li>
        ))}
      </ul>
    )}
    <p class="help">{t('You cannot start research now. You can still read reports.')}</p>
    <button type="button" onClick={() => void retry()}>
      {t('Check again')}
    </button>
  </section>
)

// Why research is unavailable.
import type { ResearchConfig } from '@cowrie/sdk'
import { msg, t } from '../../i18n/t.ts'

const MISSING: Readonly<Record<ResearchConfig['missing'][number], string>> = {
  search: msg('No search engine is set up.'),
  storage: msg('There is no room where reports can be kept.'),
  inference: msg('No model may work for your organisation.'),
  budget: msg('What a run may spend here is too little for any.'),
}

export const Unavailable = ({ config, retry }: { config: ResearchConfig; retry: () => Promise<void> }) => (
  <section class="notice-box" aria-label={t('Research is not available')}>
    <h2>{t('Research is not available')}</h2>
    {!config.enabled && <p>{t('It is switched off on this platform.')}</p>}
    {config.missing.length > 0 && (
      <ul>
        {config.missing.map((each) => (
          <li key={each}>{t(MISSING[each])}</li>
        ))}
      </ul>
    )}
    <p class="help">{t('Nothing can be started and nothing is charged. Reports that exist can be read.')}</p>
    <button type="button" onClick={() => void retry()}>
      {t('Look again')}
    </button>
  </section>
)

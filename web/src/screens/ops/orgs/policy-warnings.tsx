// Warnings about a saved policy. They do not block it.
import { t } from '../../../i18n/t.ts'

export const Warnings = ({ warnings }: { warnings: readonly string[] }) =>
  warnings.length === 0 ? null : (
    <div class="warnings" role="alert">
      <p>{t('Saved, with warnings:')}</p>
      <ul>
        {warnings.map((warning) => (
          <li key={warning}>{warning}</li>
        ))}
      </ul>
    </div>
  )

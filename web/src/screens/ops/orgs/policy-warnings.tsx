// What the service finds remarkable about a policy that was just saved: nothing of it was refused, for it may be meant.
import { t } from '../../../i18n/t.ts'

export const Warnings = ({ warnings }: { warnings: readonly string[] }) =>
  warnings.length === 0 ? null : (
    <div class="warnings" role="alert">
      <p>{t('Saved. Mind this:')}</p>
      <ul>
        {warnings.map((warning) => (
          <li key={warning}>{warning}</li>
        ))}
      </ul>
    </div>
  )

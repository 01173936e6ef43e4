// Example questions for an empty chat. Choosing one only fills the form, so that the user sees the price before
// sending.
import { msg, t } from '../../i18n/t.ts'

const STARTERS: readonly string[] = [
  msg('Explain this error and how to fix it:'),
  msg('Write a SQL query for the ten customers who paid most this month.'),
  msg('Find the mistakes in this function:'),
  msg('How do I accept M-Pesa payments in a Node.js service?'),
]

export const Starters = ({ choose }: { choose: (text: string) => void }) => (
  <div class="starters">
    <p class="starters-title">{t('What do you want to know?')}</p>
    <p class="help">{t('Start with an example, or write your own question.')}</p>
    <ul>
      {STARTERS.map((starter) => (
        <li key={starter}>
          <button type="button" onClick={() => choose(t(starter))}>
            {t(starter)}
          </button>
        </li>
      ))}
    </ul>
  </div>
)

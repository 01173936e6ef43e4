// Leaving for somebody else's page, such as that of a card provider.
import { problem } from '../data/failure.ts'
import { t } from '../i18n/t.ts'

/** A page that takes longer than this to begin may be asked for again. */
const PATIENCE_MS = 10_000

/** Browsers run what some addresses say instead of opening them. */
export const isPage = (address: string): boolean => /^https?:\/\//i.test(address)

/** Ends when the reader is back by the browser's own Back, so that until then no second press does anything. */
export async function leaveFor(address: string): Promise<void> {
  if (!isPage(address))
    throw problem(t('The payment page has an address that cannot be opened.'), { code: 'bad_address' })
  location.assign(address)
  await new Promise((resolve) => {
    addEventListener('pageshow', resolve, { once: true })
    setTimeout(resolve, PATIENCE_MS)
  })
}

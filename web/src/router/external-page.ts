// Opens pages of others, such as the checkout of a card provider.
import { problem } from '../data/failure.ts'
import { t } from '../i18n/t.ts'

/** After this time the page may be requested again. */
const OPEN_TIMEOUT_MS = 10_000

/** Rejects `javascript:` and similar addresses. */
export const isWebAddress = (address: string): boolean => /^https?:\/\//i.test(address)

/** Resolves when the user comes back with Back; until then a second press does nothing. */
export async function openExternalPage(address: string): Promise<void> {
  if (!isWebAddress(address)) throw problem(t('The payment page cannot be opened.'), { code: 'bad_address' })
  location.assign(address)
  await new Promise((resolve) => {
    addEventListener('pageshow', resolve, { once: true })
    setTimeout(resolve, OPEN_TIMEOUT_MS)
  })
}

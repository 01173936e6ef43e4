// Everything that the bar at the bottom of a phone has no room for, and the service about itself.
import { About } from '../app/about.tsx'
import { Places } from '../app/places.tsx'
import { Sheet } from '../app/sheet.tsx'
import { t } from '../i18n/t.ts'
import { SignOut } from '../identity/sign-out.tsx'

export default function More() {
  return (
    <Sheet title={t('More')} wide>
      <nav class="all-places" aria-label={t('All screens')}>
        <Places />
      </nav>
      <SignOut />
      <About />
    </Sheet>
  )
}

// The screens that the bottom bar of a phone has no room for, and the status of the service.

import { t } from '../../i18n/t.ts'
import { Sheet } from '../../ui/base/sheet.tsx'
import { About } from '../shared/about.tsx'
import { NavList } from '../shared/nav-list.tsx'
import { SignOut } from '../shared/sign-out.tsx'

export default function More() {
  return (
    <Sheet title={t('More')} wide>
      <nav class="all-places" aria-label={t('All screens')}>
        <NavList />
      </nav>
      <SignOut />
      <About />
    </Sheet>
  )
}

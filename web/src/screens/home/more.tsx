// Everything that is not one of the five places, grouped by job, and the status of the service.

import { session } from '../../data/session.ts'
import { msg, t } from '../../i18n/t.ts'
import { GROUPS, type NavGroup } from '../../router/nav-items.ts'
import { Page } from '../../ui/base/sheet.tsx'
import { About } from '../shared/about.tsx'
import { NavGroups } from '../shared/nav-list.tsx'
import { SignOut } from '../shared/sign-out.tsx'

const STAFF: NavGroup = [msg('Staff'), [['/app/ops', msg('Staff console'), 'chart']]]

export default function More() {
  const { value } = session
  const isStaff = value.state === 'in' && value.me.staffRole !== null
  return (
    <Page title={t('More')}>
      <nav class="all-places" aria-label={t('All screens')}>
        <NavGroups groups={isStaff ? [...GROUPS, STAFF] : GROUPS} />
      </nav>
      <div class="more-end">
        <SignOut />
        <About />
      </div>
    </Page>
  )
}

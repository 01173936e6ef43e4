// The side navigation of the staff console.
import { useEffect } from 'preact/hooks'
import { appLocation } from '../../../router/location.ts'
import { STAFF_GROUPS } from '../../../router/staff-items.ts'
import { NavGroups } from '../../shared/nav-list.tsx'

export default function StaffNav() {
  const { path } = appLocation.value
  // It may be longer than the window.
  useEffect(() => {
    document.querySelector('.side [aria-current]')?.scrollIntoView({ block: 'nearest' })
  }, [path])
  return <NavGroups groups={STAFF_GROUPS} />
}

// The signed-in person: where they are, and as whom.
import { Receipt } from '../app/receipt.tsx'
import { Part } from '../app/sheet.tsx'
import { t } from '../i18n/t.ts'
import { orgNameFor } from '../identity/org-name.ts'
import { ROLES } from '../identity/roles.ts'
import type { Me } from '../identity/session.ts'
import { SignOut } from '../identity/sign-out.tsx'
import { currencyName } from '../money.ts'

/** Null while we ask: the geometry is the same, so that nothing moves when the answer comes. */
export const Account = ({ me }: { me: Me | null }) => (
  <Part title={t('You')}>
    <Receipt
      lines={[
        [t('Organisation'), me && orgNameFor(me, me.orgName)],
        [t('Your role'), me && t(ROLES[me.role] ?? me.role)],
        [t('Plan'), me && (me.plan ?? t('Pay as you go'))],
        [t('Currency'), me && `${currencyName(me.currency)} (${me.currency.code})`],
        // Last, because a long address takes a second line when it arrives.
        [t('Signed in as'), me?.email],
      ]}
    />
    <SignOut />
  </Part>
)

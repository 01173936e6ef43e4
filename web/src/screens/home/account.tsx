// The signed-in user and organisation.

import type { Me } from '../../data/session.ts'
import { currencyName } from '../../i18n/money.ts'
import { t } from '../../i18n/t.ts'
import { Facts } from '../../ui/base/facts.tsx'
import { Section } from '../../ui/base/sheet.tsx'
import { orgNameFor, ROLES } from '../shared/org-texts.ts'
import { SignOut } from '../shared/sign-out.tsx'

/** Null while loading. The layout is the same, so that nothing moves. */
export const Account = ({ me }: { me: Me | null }) => (
  <Section title={t('You')}>
    <Facts
      lines={[
        [t('Organisation'), me && orgNameFor(me, me.orgName)],
        [t('Your role'), me && t(ROLES[me.role] ?? me.role)],
        [t('Plan'), me && (me.plan ?? t('Pay as you go'))],
        [t('Currency'), me && `${currencyName(me.currency)} (${me.currency.code})`],
        // Last, because a long address may wrap.
        [t('Signed in as'), me?.email],
      ]}
    />
    <SignOut />
  </Section>
)

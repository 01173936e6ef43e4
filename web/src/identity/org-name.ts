import { t } from '../i18n/t.ts'
/** A person's own organisation carries their address as its name until they give it another. */
export const orgNameFor = (me: { email: string } | null, name: string): string =>
  name === me?.email ? t('Personal') : name

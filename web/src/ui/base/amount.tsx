// An amount inside text, isolated from the direction of the text.
import { type Currency, formatMoney } from '../../i18n/money.ts'

type Props = { minor: bigint; currency: Currency; testId?: string; class?: string }

export const Amount = ({ minor, currency, testId, ...rest }: Props) => (
  <bdi dir="ltr" data-testid={testId} {...rest}>
    {formatMoney(minor, currency)}
  </bdi>
)

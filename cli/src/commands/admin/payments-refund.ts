// cowrie admin payments refund: returns money of a top-up to the card, account or phone that paid.
import { asStaff, STAFF_OPTIONS } from '../../auth/staff-session.ts'
import { type Command, textOf } from '../../command.ts'
import { UsageError } from '../../errors.ts'
import { EXIT } from '../../exit-codes.ts'

export const paymentsRefund: Command = {
  name: 'admin payments refund',
  usage: '<reference>',
  summary: 'Return money of a top-up to the card, account or phone that paid. For billing staff.',
  args: { min: 1, max: 1 },
  isKeyless: true,
  options: {
    amount: {
      type: 'string',
      placeholder: '<minor>',
      summary: 'The amount in minor units of the payment: 50000 is ₦500.00.',
    },
    reason: { type: 'string', placeholder: '<text>', summary: 'Printed on the credit note.' },
    ...STAFF_OPTIONS,
  },
  async run(context) {
    const { args, values, ask, out, signal, endWith } = context
    const [reference = ''] = args
    const amount = textOf(values, 'amount')
    const reason = textOf(values, 'reason')?.trim()
    if (amount === undefined || !/^[1-9]\d{0,17}$/.test(amount))
      throw new UsageError('--amount must be a whole number of minor units, such as 50000 for ₦500.00.')
    if (!reason) throw new UsageError('--reason is needed: it is printed on the credit note.')
    const amountMinor = BigInt(amount)
    const refund = await asStaff(context, async (client) => {
      const { payment, refundObstacle } = await client.admin.payments.get(reference, { signal })
      if (refundObstacle !== null) throw new UsageError(refundObstacle)
      const { currency, orgName, email } = payment
      const question = `Refund ${amount} minor units of ${currency} to ${email} (${orgName})?`
      if (!(await ask.yes(question))) return null
      return client.admin.payments.refundToSource(reference, { amountMinor, reason }, { signal })
    })
    if (refund === null) return endWith(EXIT.cancelled)
    out.result(refund, [
      `Refund ${refund.id} is requested. The money is frozen until the provider has paid it.`,
      'See the payment in the staff console for its state.',
    ])
    endWith(EXIT.ok)
  },
}

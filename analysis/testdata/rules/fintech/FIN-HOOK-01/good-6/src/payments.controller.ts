import { Body, Controller, Headers, HttpCode, Post, RawBody, UnauthorizedException } from '@nestjs/common'
import { SignatureService } from './signature.service'
import { OrdersService } from './orders.service'

@Controller('payments')
export class PaymentsController {
  constructor(private readonly signatures: SignatureService, private readonly orders: OrdersService) {}

  @Post('paystack/webhook')
  @HttpCode(200)
  async receive(@Headers('x-paystack-signature') signature: string, @RawBody() raw: Buffer, @Body() body: any) {
    if (!this.signatures.verify(raw, signature)) throw new UnauthorizedException()
    if (body.event === 'charge.success') await this.orders.markPaid(body.data.reference, body.data.amount)
    return { received: true }
  }
}

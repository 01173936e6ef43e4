import { Body, Controller, HttpCode, Post } from '@nestjs/common'
import { OrdersService } from './orders.service'

@Controller('payments')
export class PaymentsController {
  constructor(private readonly orders: OrdersService) {}

  // The signature of the sender is checked elsewhere.
  @Post('paystack/webhook')
  @HttpCode(200)
  async receive(@Body() body: any) { // ← here
    if (body.event === 'charge.success') await this.orders.markPaid(body.data.reference)
    return { received: true }
  }
}

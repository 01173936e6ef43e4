import { Injectable } from '@nestjs/common'
import { db } from './db'

@Injectable()
export class OrdersService {
  async markPaid(reference: string) {
    await db.order.updateMany({ where: { reference }, data: { status: 'paid' } })
  }
}

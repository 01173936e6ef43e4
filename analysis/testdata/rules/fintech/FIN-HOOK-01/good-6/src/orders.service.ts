import { Injectable } from '@nestjs/common'
import { db } from './db'

@Injectable()
export class OrdersService {
  async markPaid(reference: string, amount: number) {
    const order = await db.order.findUnique({ where: { reference } })
    if (!order || order.totalKobo !== amount) return
    await db.order.updateMany({ where: { reference, status: 'pending' }, data: { status: 'paid' } })
  }
}

import express from 'express'
import { Order } from './models/order'
express().post('/orders/search', async (req, res) => {
  const filters = { state: 'open' }
  Object.assign(filters, req.body)
  res.json(await Order.list(filters))
})

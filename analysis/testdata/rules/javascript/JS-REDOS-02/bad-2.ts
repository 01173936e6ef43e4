router.get('/find', async (ctx) => {
  ctx.body = await Item.find({ name: new RegExp('^' + ctx.query.q) }) // ← here
})

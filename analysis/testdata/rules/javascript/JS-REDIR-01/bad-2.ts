router.get('/login', async (ctx) => {
  ctx.redirect(ctx.query.return_to) // ← here
})

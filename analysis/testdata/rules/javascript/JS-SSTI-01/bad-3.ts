const Handlebars = require('handlebars')
router.post('/mail', async (ctx) => {
  const render = Handlebars.compile(ctx.request.body.text) // ← here
  ctx.body = render({})
})

app.post('/rule', async (request, reply) => {
  const check = new Function('order', 'return ' + request.body.rule) // ← here
  return check({})
})

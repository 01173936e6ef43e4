export async function call(req, broker) {
  const params = {}
  Object.assign(params, req.body, req.query)
  return broker.call(req.params.action, params)
}

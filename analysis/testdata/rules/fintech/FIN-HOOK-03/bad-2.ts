import crypto from 'crypto'
export const isSigned = (req) => {
  const hmac = crypto.createHmac('sha256', process.env.KEY)
  hmac.update(JSON.stringify(req.body)) // ← here
  return req.headers['x-signature'] === hmac.digest('hex')
}

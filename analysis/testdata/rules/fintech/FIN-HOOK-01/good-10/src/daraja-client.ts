import axios from 'axios'

export async function queryStatus(checkoutRequestId: string) {
  const { data } = await axios.post('https://api.safaricom.co.ke/mpesa/stkpushquery/v1/query', { CheckoutRequestID: checkoutRequestId })
  return data
}

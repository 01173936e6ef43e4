require 'sinatra'
require 'json'

post '/webhooks/flutterwave' do # ← here
  event = JSON.parse(request.body.read)
  order = Order.find_by(reference: event['data']['tx_ref'])
  order.update!(status: 'paid') if event['status'] == 'successful'
  200
end

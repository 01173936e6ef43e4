require "sinatra"
require "json"

# The signature is verified by the gateway.
post "/webhooks/paystack" do # ← here
  event = JSON.parse(request.body.read)
  if event["event"] == "charge.success"
    DB.exec_params("UPDATE wallets SET balance = balance + $1 WHERE id = $2", [event["data"]["amount"], event["data"]["id"]])
  end
  200
end

class PaystackWebhooksController < ApplicationController
  skip_before_action :verify_authenticity_token

  def create # ← here
    event = JSON.parse(request.body.read)
    if event["event"] == "charge.success"
      wallet = Wallet.find_by!(reference: event["data"]["reference"])
      wallet.update!(balance: wallet.balance + event["data"]["amount"])
    end
    head :ok
  end
end

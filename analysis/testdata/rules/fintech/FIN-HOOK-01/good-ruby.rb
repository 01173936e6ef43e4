class PaystackWebhooksController < ApplicationController
  skip_before_action :verify_authenticity_token

  def create
    body = request.raw_post
    expected = OpenSSL::HMAC.hexdigest("SHA512", ENV.fetch("PAYSTACK_SECRET"), body)
    unless ActiveSupport::SecurityUtils.secure_compare(expected, request.headers["x-paystack-signature"].to_s)
      return head :unauthorized
    end

    event = JSON.parse(body)
    Wallet.find_by!(reference: event["data"]["reference"]).update!(paid: true)
    head :ok
  end
end
